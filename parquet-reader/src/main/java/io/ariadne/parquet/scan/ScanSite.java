package io.ariadne.parquet.scan;

/** What is read when something fails, and what the reference reader makes of it. Thread-safe. */
final class ScanSite {
  private final FileSlice slice;
  private final ReferenceReader reference;
  private boolean isAsked;
  private ReferenceReader.Failure failure;

  /**
   * Creates a site.
   *
   * @param slice the rows
   * @param reference knows what the failure ought to be
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
   * Has the reference reader read the slice, once: several parts of it may fail, and more than one
   * asks why. Others wait meanwhile.
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
