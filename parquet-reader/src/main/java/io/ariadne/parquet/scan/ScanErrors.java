package io.ariadne.parquet.scan;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.ParquetError;
import io.ariadne.kernel.parquet.ParquetPageException;
import io.ariadne.parquet.schema.TypeMismatchException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Adds the file to failures that concern it, and decides which failures a scan may ignore. */
final class ScanErrors {
  private ScanErrors() {}

  /** Returns a failed read as an exception of the scan. */
  static ScanException failed(ScanSite site, IOException e) {
    return new ScanException(ErrorCode.CORRUPT_DATA, message(site.file(), e), site, e);
  }

  private static String message(String file, IOException e) {
    String text = e.getMessage() == null ? e.toString() : e.getMessage();
    return text.contains(file) ? text : text + ", in " + file;
  }

  /**
   * Returns a failure while a file was read as an exception that names the file, if the file caused
   * it. Other failures, such as a lack of memory, are returned unchanged.
   */
  static RuntimeException located(ScanSite site, RuntimeException e) {
    if (e instanceof UncheckedIOException io) {
      return failed(site, io.getCause());
    }
    if (!(e instanceof EngineException failure) || e instanceof ScanException) {
      return e;
    }
    if (failure instanceof TypeMismatchException mismatch) {
      return new ColumnTypeMismatchException(site, mismatch);
    }
    if (isAncientDate(failure)) {
      return new AncientDateException(site, failure);
    }
    return switch (failure.code()) {
      case CORRUPT_DATA, UNSUPPORTED, USER ->
          new ScanException(failure.code(), failure.getMessage(), site, failure);
      default -> failure;
    };
  }

  private static boolean isAncientDate(EngineException failure) {
    return failure.getCause() instanceof ParquetPageException page
        && page.code() == ParquetError.PARQUET_ERROR_REBASE;
  }

  /**
   * Returns whether the rest of a file is skipped after a failure (Spark: {@code FileScanRDD},
   * {@code spark.sql.files.ignoreMissingFiles} and {@code ignoreCorruptFiles}).
   *
   * <p>Damaged bytes are ignored, but not a refusal of the file system, since the file may be
   * intact. If the file is intact but has another schema than requested, or is not supported by
   * this reader, the reference reader decides: it may be able to read the file, and some of its
   * failures must stop the scan.
   */
  static boolean isIgnored(RuntimeException e, ParquetScanOptions options) {
    if (!(e instanceof ScanException failure)) {
      return false;
    }
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof FileNotFoundException || cause instanceof NoSuchFileException) {
        return options.ignoresMissingFiles();
      }
      if (cause instanceof FileSystemException) {
        return false;
      }
    }
    return options.ignoresCorruptFiles()
        && (failure.code() == ErrorCode.CORRUPT_DATA || isIgnored(failure.referenceFailure()));
  }

  private static boolean isIgnored(ReferenceReader.Failure failure) {
    return failure != null && failure.isPassedOver();
  }
}
