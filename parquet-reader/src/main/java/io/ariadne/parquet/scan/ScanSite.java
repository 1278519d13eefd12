package io.ariadne.parquet.scan;

/**
 * What is read when something fails.
 *
 * @param slice the rows
 * @param number the slice's place among those of the scan
 * @param reference knows what the failure ought to be
 */
record ScanSite(FileSlice slice, long number, ReferenceReader reference) {
  String file() {
    return slice.path();
  }
}
