package io.ariadne.it.fuzz;

import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A fault that the fuzzer must find when it is planted in Ariadne's plans ({@link PlantedFaults}).
 */
enum PlantedFault {
  /** Rows whose first key is null are left out of an aggregation. */
  DROPPED_NULL("GROUP BY"),
  /** A frame by rows begins a row early. */
  FRAME("ROWS BETWEEN \\d"),
  /** A scalar subquery gives null. */
  NULL_SUBQUERY("\\(SELECT "),
  /** A left join keeps the right side's rows. */
  SWAPPED_JOIN("LEFT JOIN"),
  /** The session's time zone is another one. */
  TIME_ZONE(" (TIMESTAMP|DATE|date|timestamp)|\\.[at]\\d"),
  /** The first batch of a task is lost once something has left memory. */
  LOST_BATCH("");

  /** Session setting that names the fault. */
  static final String SETTING = "ariadne.it.fuzz.fault";

  private final Predicate<String> mayShow;

  PlantedFault(String pattern) {
    mayShow = Pattern.compile(pattern).asPredicate();
  }

  /**
   * Returns whether a query has what the fault is about; others need not run to know that they do
   * not find it.
   */
  boolean mayShow(FuzzQuery query) {
    return mayShow.test(query.sql()) && (this != LOST_BATCH || query.isInLittleMemory());
  }

  /** Returns the settings of Ariadne's side. */
  Map<String, String> settings() {
    return this == TIME_ZONE
        ? Map.of(FuzzSettings.ZONE, "Australia/Adelaide")
        : Map.of(SETTING, name());
  }
}
