package io.ariadne.rules.scan;

import io.ariadne.bridge.file.FileScanLine;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.scan.AncientDateException;
import io.ariadne.parquet.scan.ColumnTypeMismatchException;
import io.ariadne.parquet.scan.ScanException;
import java.io.FileNotFoundException;

/** Failures of a scan as Spark's exceptions: the classes and messages of Spark's own reader. */
public final class ScanFailures {
  private ScanFailures() {}

  /**
   * Returns the exception to throw for a failure of a fragment.
   *
   * @param failure what arrived at the task thread
   * @return Spark's exception, with the failure as its cause; the failure itself when it is not a
   *     scan's
   */
  public static Throwable toSpark(RuntimeException failure) {
    if (failure instanceof ColumnTypeMismatchException mismatch) {
      return FileScanLine.typeMismatch(
          mismatch.file(), mismatch.column(), mismatch.physicalType(), mismatch.logicalType());
    }
    if (failure instanceof AncientDateException ancient) {
      return FileScanLine.ancientDate(ancient.isInt96() ? "Parquet INT96" : "Parquet");
    }
    if (failure instanceof ScanException scan) {
      return scan.getCause() instanceof FileNotFoundException missing
          ? FileScanLine.missing(scan.file(), missing)
          : FileScanLine.unreadable(scan.file(), withWayOut(scan));
    }
    return failure;
  }

  /** Says what to do about files that only Spark's reader may be able to read. */
  private static ScanException withWayOut(ScanException failure) {
    return failure.code() == ErrorCode.UNSUPPORTED
        ? new ScanException(
            failure.code(),
            failure.getMessage()
                + "; spark.ariadne.disable=FileSourceScanExec leaves the files to Spark's reader",
            failure.file(),
            failure)
        : failure;
  }
}
