package io.ariadne.parquet.scan;

/**
 * What is read when something fails.
 *
 * @param slice the rows
 * @param reference knows what the failure ought to be
 */
record ScanSite(FileSlice slice, ReferenceReader reference) {
  String file() {
    return slice.path();
  }
}
