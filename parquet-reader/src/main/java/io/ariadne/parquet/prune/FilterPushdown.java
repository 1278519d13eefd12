package io.ariadne.parquet.prune;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.io.Serializable;
import java.util.Set;

/**
 * Which facts that a file states about its values may be used: to leave out row groups and pages,
 * to divide row groups, and to choose the width of decimals. Users switch off those that are wrong
 * in their files.
 *
 * @param levels which kinds of facts
 * @param isOfDates whether also about dates: {@code spark.sql.parquet.filterPushdown.date}
 * @param isOfTimestamps whether also about timestamps: {@code
 *     spark.sql.parquet.filterPushdown.timestamp}
 * @param isOfDecimals whether also about decimals: {@code spark.sql.parquet.filterPushdown.decimal}
 */
public record FilterPushdown(
    Set<FilterLevel> levels, boolean isOfDates, boolean isOfTimestamps, boolean isOfDecimals)
    implements Serializable {
  /** All facts. */
  public static final FilterPushdown ALL =
      new FilterPushdown(Set.of(FilterLevel.values()), true, true, true);

  /** No facts. */
  public static final FilterPushdown NONE = new FilterPushdown(Set.of(), false, false, false);

  /** Copies the set. */
  public FilterPushdown {
    levels = Set.copyOf(levels);
  }

  /** Returns whether facts of a kind may be used. */
  public boolean uses(FilterLevel level) {
    return levels.contains(level);
  }

  /** Returns whether facts about values of a type may be used. */
  public boolean isOf(DataType type) {
    if (type == PrimitiveType.DATE32) {
      return isOfDates;
    }
    if (type == PrimitiveType.TIMESTAMP_MICROS || type == PrimitiveType.TIMESTAMP_NTZ_MICROS) {
      return isOfTimestamps;
    }
    return !(type instanceof DecimalType) || isOfDecimals;
  }
}
