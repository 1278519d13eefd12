package io.ariadne.parquet.schema;

import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.schema.LeafConversion.CalendarUse;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.TimeZone;

/**
 * The calendar of the dates and timestamps of one file. Immutable.
 *
 * <p>A file written by Spark states its calendar. Spark before 3.0 (before 3.1 for INT96) always
 * wrote the hybrid calendar; a file of a later Spark uses it if the file has a flag that says so.
 * The time zone of the hybrid calendar is stated in the file; otherwise it is the process's. For a
 * file of another writer the mode that the user has set applies. Source: Spark 4.1, {@code
 * DataSourceUtils.getRebaseSpec}.
 *
 * @param file the file's name
 * @param date rebases dates
 * @param timestamp rebases timestamps
 * @param int96 rebases INT96 timestamps
 * @param int96Zone zone whose local time INT96 timestamps are; they are converted to instants after
 *     rebasing. Null when they are instants
 */
public record Calendars(
    String file,
    CalendarRebase date,
    CalendarRebase timestamp,
    CalendarRebase int96,
    String int96Zone) {
  private static final String VERSION_KEY = "org.apache.spark.version";
  private static final String ZONE_KEY = "org.apache.spark.timeZone";
  private static final String DATETIME_KEY = "org.apache.spark.legacyDateTime";
  private static final String INT96_KEY = "org.apache.spark.legacyINT96";

  /**
   * Determines the calendars of a file.
   *
   * @param metadata its footer
   * @param datetime the mode for dates and timestamps of files that do not state their calendar
   * @param int96 the same for INT96 timestamps
   * @param int96Zone zone from which INT96 timestamps of writers other than parquet-mr are shifted
   *     to UTC, null for none
   */
  public static Calendars of(
      FileMetadata metadata, RebaseMode datetime, RebaseMode int96, String int96Zone) {
    RebaseMode mode = mode(metadata, datetime, "3.0.0", DATETIME_KEY);
    RebaseMode int96Mode = mode(metadata, int96, "3.1.0", INT96_KEY);
    boolean isOfParquetMr =
        metadata.createdBy() != null && metadata.createdBy().startsWith("parquet-mr");
    return new Calendars(
        metadata.file(),
        mode == RebaseMode.LEGACY ? CalendarRebase.DATES : timestamps(metadata, mode),
        timestamps(metadata, mode),
        timestamps(metadata, int96Mode),
        isOfParquetMr || isUtc(int96Zone) ? null : int96Zone);
  }

  private static boolean isUtc(String zone) {
    return zone != null && ZoneId.of(zone).getRules().equals(ZoneOffset.UTC.getRules());
  }

  private static RebaseMode mode(
      FileMetadata metadata, RebaseMode otherwise, String firstVersion, String legacyKey) {
    String version = metadata.keyValues().get(VERSION_KEY);
    if (version == null) {
      return otherwise;
    }
    boolean isLegacy =
        version.compareTo(firstVersion) < 0 || metadata.keyValues().containsKey(legacyKey);
    return isLegacy ? RebaseMode.LEGACY : RebaseMode.CORRECTED;
  }

  private static CalendarRebase timestamps(FileMetadata metadata, RebaseMode mode) {
    return switch (mode) {
      case CORRECTED -> CalendarRebase.NONE;
      case EXCEPTION -> CalendarRebase.failing(ZoneRebase.FIRST_MODERN_MICROS);
      case LEGACY -> {
        String zone = metadata.keyValues().get(ZONE_KEY);
        yield ZoneRebase.of(zone == null ? TimeZone.getDefault().getID() : zone);
      }
    };
  }

  /** Returns the rebase for a use of the calendar. */
  CalendarRebase of(CalendarUse use) {
    return switch (use) {
      case NONE -> CalendarRebase.NONE;
      case DATE -> date;
      case TIMESTAMP -> timestamp;
      case INT96 -> int96;
    };
  }
}
