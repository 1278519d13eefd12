package io.ariadne.parquet.prune;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.io.Serializable;
import java.util.Set;

/**
 * Selects the metadata of a file that may be used to skip row groups and pages, to divide row
 * groups, and to choose the width of decimals. Users switch off metadata that is wrong in their
 * files.
 *
 * @param levels which kinds of metadata
 * @param usesDates whether metadata of dates is used: {@code spark.sql.parquet.filterPushdown.date}
 * @param usesTimestamps whether metadata of timestamps is used: {@code
 *     spark.sql.parquet.filterPushdown.timestamp}
 * @param usesDecimals whether metadata of decimals is used: {@code
 *     spark.sql.parquet.filterPushdown.decimal}
 */
public record FilterPushdown(
    Set<FilterLevel> levels, boolean usesDates, boolean usesTimestamps, boolean usesDecimals)
    implements Serializable {
  /** Uses all metadata. */
  public static final FilterPushdown ALL =
      new FilterPushdown(Set.of(FilterLevel.values()), true, true, true);

  /** Uses no metadata. */
  public static final FilterPushdown NONE = new FilterPushdown(Set.of(), false, false, false);

  /** Copies the set. */
  public FilterPushdown {
    levels = Set.copyOf(levels);
  }

  /** Returns whether metadata of a kind may be used. */
  public boolean uses(FilterLevel level) {
    return levels.contains(level);
  }

  /** Returns whether metadata about values of a type may be used. */
  public boolean usesValuesOf(DataType type) {
    if (type == PrimitiveType.DATE32) {
      return usesDates;
    }
    if (type == PrimitiveType.TIMESTAMP_MICROS || type == PrimitiveType.TIMESTAMP_NTZ_MICROS) {
      return usesTimestamps;
    }
    return !(type instanceof DecimalType) || usesDecimals;
  }
}
