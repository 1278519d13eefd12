package io.ariadne.parquet.scan;

import io.ariadne.parquet.prune.FilterPushdown;
import io.ariadne.parquet.schema.RebaseMode;
import java.io.Serializable;
import java.util.Objects;

/**
 * How files are interpreted: Spark's settings of the same names.
 *
 * @param isCaseSensitive whether column names are case-sensitive
 * @param isBinaryAsString {@code spark.sql.parquet.binaryAsString}
 * @param isInt96AsTimestamp {@code spark.sql.parquet.int96AsTimestamp}
 * @param isNanosAsLong {@code spark.sql.legacy.parquet.nanosAsLong}
 * @param datetimeRebase mode for dates and timestamps of files that do not state their calendar
 * @param int96Rebase the same for INT96 timestamps
 * @param int96Zone zone from which INT96 timestamps of writers other than parquet-mr are shifted to
 *     UTC, null for none
 * @param sessionZone the session's time zone
 * @param widening which conversions between a file's type and the requested one are allowed
 * @param requiresFieldIds whether files without any field id are rejected: columns are requested by
 *     ids and {@code spark.sql.parquet.fieldId.read.ignoreMissing} is false
 * @param nullsEmptyStructs whether a struct with no requested member in the file is always null, as
 *     in Spark 3.5, rather than null where the file's struct is
 * @param readsVariantsAsStructs whether a group annotated as VARIANT is read as a struct (Spark
 *     4.1: {@code spark.sql.parquet.ignoreVariantAnnotation})
 * @param ignoresCorruptFiles whether the rest of a damaged file is skipped; files that are not
 *     supported, or that the file system refuses to serve, are never skipped
 * @param ignoresMissingFiles whether missing files are skipped
 * @param verifiesChecksums whether pages are checked against their CRC where they have one
 * @param pushdown which metadata about a file's values may be used
 * @param batchRows rows of a full batch, a multiple of 64
 * @param keepsDictionaries whether columns may stay dictionary-encoded
 * @param partBytes size of a part of a divided row group: compressed bytes of the columns that are
 *     read
 */
public record ParquetScanOptions(
    boolean isCaseSensitive,
    boolean isBinaryAsString,
    boolean isInt96AsTimestamp,
    boolean isNanosAsLong,
    RebaseMode datetimeRebase,
    RebaseMode int96Rebase,
    String int96Zone,
    String sessionZone,
    TypeWidening widening,
    boolean requiresFieldIds,
    boolean nullsEmptyStructs,
    boolean readsVariantsAsStructs,
    boolean ignoresCorruptFiles,
    boolean ignoresMissingFiles,
    boolean verifiesChecksums,
    FilterPushdown pushdown,
    int batchRows,
    boolean keepsDictionaries,
    long partBytes)
    implements Serializable {
  /** The conversions that Spark's vectorised reader supports. */
  public enum TypeWidening {
    /** Spark 3.5. */
    SPARK_3_5,
    /** Spark 4.0 and later. */
    SPARK_4
  }

  /** Default number of rows of a batch: thirty-two tiles. */
  public static final int DEFAULT_BATCH_ROWS = 65_536;

  /** Default size of a part of a row group: some milliseconds of work. */
  public static final long DEFAULT_PART_BYTES = 4 << 20;

  /** Spark 4's defaults, in UTC. */
  public static final ParquetScanOptions DEFAULT =
      new ParquetScanOptions(
          false,
          false,
          true,
          false,
          RebaseMode.CORRECTED,
          RebaseMode.CORRECTED,
          null,
          "UTC",
          TypeWidening.SPARK_4,
          false,
          false,
          false,
          false,
          false,
          false,
          FilterPushdown.ALL,
          DEFAULT_BATCH_ROWS,
          true,
          DEFAULT_PART_BYTES);

  /** Checks the values. */
  public ParquetScanOptions {
    Objects.requireNonNull(datetimeRebase, "datetimeRebase is null");
    Objects.requireNonNull(int96Rebase, "int96Rebase is null");
    Objects.requireNonNull(sessionZone, "sessionZone is null");
    Objects.requireNonNull(widening, "widening is null");
    Objects.requireNonNull(pushdown, "pushdown is null");
    if (batchRows <= 0 || batchRows % 64 != 0) {
      throw new IllegalArgumentException("batchRows=" + batchRows);
    }
    if (partBytes <= 0) {
      throw new IllegalArgumentException("partBytes=" + partBytes);
    }
  }

  /** Returns these options with batches of this many rows. */
  public ParquetScanOptions withBatchRows(int rows) {
    return with(pushdown, rows, partBytes);
  }

  /** Returns these options restricted to the metadata that another selection also allows. */
  public ParquetScanOptions withPushdown(FilterPushdown wanted) {
    return with(wanted, batchRows, partBytes);
  }

  /** Returns these options with parts of row groups of this many bytes. */
  public ParquetScanOptions withPartBytes(long bytes) {
    return with(pushdown, batchRows, bytes);
  }

  private ParquetScanOptions with(FilterPushdown wanted, int rows, long bytes) {
    return new ParquetScanOptions(
        isCaseSensitive,
        isBinaryAsString,
        isInt96AsTimestamp,
        isNanosAsLong,
        datetimeRebase,
        int96Rebase,
        int96Zone,
        sessionZone,
        widening,
        requiresFieldIds,
        nullsEmptyStructs,
        readsVariantsAsStructs,
        ignoresCorruptFiles,
        ignoresMissingFiles,
        verifiesChecksums,
        wanted,
        rows,
        keepsDictionaries,
        bytes);
  }
}
