package io.ariadne.rules.scan;

import io.ariadne.bridge.file.FileScanLine;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.scan.ReferenceReader.Failure;
import io.ariadne.parquet.scan.ScanException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.TimeoutException;
import org.apache.parquet.io.ParquetDecodingException;

/**
 * Turns failures of a scan into Spark's exceptions. Spark's own reader reads the slice again and
 * raises the exception that the user sees. Our exception, which names column and offset, is added
 * to it as a suppressed exception. Where Spark's reader does not fail or is not called, the cause
 * is one of:
 *
 * <table>
 *   <caption>Causes that Spark's reader does not raise</caption>
 *   <tr><th>Failure</th><th>Cause</th></tr>
 *   <tr><td>a read</td><td>the file system's exception</td></tr>
 *   <tr><td>a read that got no answer in time; Spark's reader is not called</td><td>{@link
 *   FileSystemException} with the read and the time</td></tr>
 *   <tr><td>what only Spark's reader supports</td><td>{@link ParquetDecodingException} that says so
 *   </td></tr>
 *   <tr><td>damage that only this reader sees</td><td>{@link ParquetDecodingException}</td></tr>
 * </table>
 */
public final class SparkScanErrors {
  private static final String WAY_OUT =
      "; spark.ariadne.disable=FileSourceScanExec leaves the files to Spark's reader";

  private SparkScanErrors() {}

  /**
   * Returns the exception to throw for a failure of a fragment. Reads the slice again to find it.
   *
   * @param failure the exception that arrived at the task thread
   * @return Spark's exception; the failure itself when it is not a scan's
   */
  public static Throwable toSpark(RuntimeException failure) {
    if (!(failure instanceof ScanException scan)) {
      return failure;
    }
    Failure reference = isLate(scan) ? null : scan.referenceFailure();
    boolean isInFirstBatch = reference == null || reference.isInFirstBatch();
    Throwable cause = reference == null ? ownCause(scan) : reference.cause();
    Throwable raised = FileScanLine.failure(scan.file(), cause, isInFirstBatch);
    raised.addSuppressed(scan);
    return raised;
  }

  /** Whether the file system did not answer in time: a second reader would wait as long. */
  private static boolean isLate(ScanException failure) {
    return failure.getCause() instanceof FileSystemException late
        && late.getCause() instanceof TimeoutException;
  }

  private static Throwable ownCause(ScanException failure) {
    if (failure.code() == ErrorCode.UNSUPPORTED) {
      return new ParquetDecodingException(failure.getMessage() + WAY_OUT);
    }
    if (failure.getCause() instanceof FileSystemException refusal
        && refusal.getCause() instanceof IOException hadoops) {
      return hadoops;
    }
    return failure.getCause() instanceof IOException read
        ? read
        : new ParquetDecodingException(failure.getMessage());
  }
}
