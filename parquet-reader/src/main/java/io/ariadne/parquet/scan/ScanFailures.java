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

/** Makes failures name the file they concern, and tells which of them a scan may pass over. */
final class ScanFailures {
  private ScanFailures() {}

  /** Returns a failed read as an exception of the scan. */
  static ScanException failed(String file, IOException e) {
    return new ScanException(ErrorCode.CORRUPT_DATA, message(file, e), file, e);
  }

  private static String message(String file, IOException e) {
    String text = e.getMessage() == null ? e.toString() : e.getMessage();
    return text.contains(file) ? text : text + ", in " + file;
  }

  /**
   * Returns a failure while a file was read as an exception that names the file, if the file is to
   * blame; others, such as a lack of memory, stay what they are.
   */
  static RuntimeException located(String file, RuntimeException e) {
    if (e instanceof UncheckedIOException io) {
      return failed(file, io.getCause());
    }
    if (!(e instanceof EngineException failure) || e instanceof ScanException) {
      return e;
    }
    if (failure instanceof TypeMismatchException mismatch) {
      return new ColumnTypeMismatchException(
          file, mismatch.column(), mismatch.physicalType(), mismatch.logicalType(), mismatch);
    }
    if (isAncientDate(failure)) {
      boolean isInt96 = failure.getMessage().contains("INT96");
      return new AncientDateException(failure.getMessage(), file, isInt96, failure);
    }
    return switch (failure.code()) {
      case CORRUPT_DATA, UNSUPPORTED, USER ->
          new ScanException(failure.code(), failure.getMessage(), file, failure);
      default -> failure;
    };
  }

  private static boolean isAncientDate(EngineException failure) {
    return failure.getCause() instanceof ParquetPageException page
        && page.code() == ParquetError.PARQUET_ERROR_REBASE;
  }

  /**
   * Returns whether the rest of a file is passed over after a failure (Spark: {@code FileScanRDD},
   * {@code spark.sql.files.ignoreMissingFiles} and {@code ignoreCorruptFiles}).
   *
   * <p>Only what a damaged file says of itself counts as damage: a file that this reader does not
   * support is read by Spark, and one that the file system does not hand out may be whole.
   */
  static boolean isIgnored(RuntimeException e, ParquetScanOptions options) {
    if (!(e instanceof ScanException failure) || failure.code() == ErrorCode.UNSUPPORTED) {
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
    return options.ignoresCorruptFiles();
  }
}
