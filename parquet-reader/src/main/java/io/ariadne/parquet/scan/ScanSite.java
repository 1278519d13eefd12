package io.ariadne.parquet.scan;

/** The slice that a failure belongs to, and the reference reader's result for it. Thread-safe. */
final class ScanSite {
  private final FileSlice slice;
  private final ReferenceReader reference;
  private boolean isAsked;
  private ReferenceReader.Failure failure;

  /**
   * Creates a site.
   *
   * @param slice the rows
   * @param reference tells what the failure should be
   */
  ScanSite(FileSlice slice, ReferenceReader reference) {
    this.slice = slice;
    this.reference = reference;
  }

  FileSlice slice() {
    return slice;
  }

  String file() {
    return slice.path();
  }

  /**
   * Lets the reference reader read the slice, at most once: several parts of it may fail, and
   * several callers may ask why. Other threads wait meanwhile.
   *
   * @return null when it reads all of it or that is not known
   */
  synchronized ReferenceReader.Failure referenceFailure() {
    if (!isAsked) {
      failure = reference.failure(slice);
      isAsked = true;
    }
    return failure;
  }
}
