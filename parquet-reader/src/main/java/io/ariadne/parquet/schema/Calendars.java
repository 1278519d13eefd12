package io.ariadne.parquet.schema;

import io.ariadne.kernel.parquet.CalendarRebase;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.schema.LeafConversion.CalendarUse;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.TimeZone;

/**
 * Which calendar the dates and timestamps of one file are in. Immutable.
 *
 * <p>Files of Spark say so: written before 3.0 (INT96: 3.1) they are in the hybrid calendar, later
 * ones if a flag says so; the time zone is the file's, else the process's. For files of others the
 * mode the user has set holds. Source: Spark 4.1, {@code DataSourceUtils.getRebaseSpec}.
 *
 * @param file the file's name
 * @param date what becomes of dates
 * @param timestamp what becomes of timestamps
 * @param int96 what becomes of INT96 timestamps
 * @param int96Zone the zone whose local time INT96 timestamps are, which after a change of calendar
 *     are to become instants; null when they are instants
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
   * Decides for a file.
   *
   * @param metadata its footer
   * @param datetime the mode for dates and timestamps of files that do not say
   * @param int96 the same for INT96 timestamps
   * @param int96Zone zone from which INT96 timestamps that others than parquet-mr wrote are shifted
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

  /** Returns what becomes of old values of a kind. */
  CalendarRebase of(CalendarUse use) {
    return switch (use) {
      case NONE -> CalendarRebase.NONE;
      case DATE -> date;
      case TIMESTAMP -> timestamp;
      case INT96 -> int96;
    };
  }
}
