package io.ariadne.parquet.metadata;

import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Selects top-level fields of a file: all fields, or those with certain names or field ids. Names
 * are compared without regard to case, so that the code that resolves names sees every candidate.
 * Immutable.
 *
 * @param isAll whether all fields are selected
 * @param names selected names in lower case
 * @param fieldIds selected field ids
 */
public record ColumnSelection(boolean isAll, Set<String> names, Set<Integer> fieldIds) {
  /** All fields. */
  public static final ColumnSelection ALL = new ColumnSelection(true, Set.of(), Set.of());

  /** Copies the sets. */
  public ColumnSelection {
    names = Set.copyOf(names);
    fieldIds = Set.copyOf(fieldIds);
  }

  /**
   * Returns a selection by names and field ids.
   *
   * @param names names of top-level fields in any case
   * @param fieldIds ids of top-level fields
   */
  public static ColumnSelection of(Collection<String> names, Collection<Integer> fieldIds) {
    Set<String> lower = new HashSet<>();
    for (String name : names) {
      lower.add(name.toLowerCase(Locale.ROOT));
    }
    return new ColumnSelection(false, lower, Set.copyOf(fieldIds));
  }

  /** Returns whether a field is selected. */
  boolean contains(SchemaElement element) {
    return isAll
        || (element.hasFieldId && fieldIds.contains(element.fieldId))
        || names.contains(element.name().toLowerCase(Locale.ROOT));
  }

  /** Returns whether this selection contains every field that the other one selects. */
  public boolean covers(ColumnSelection other) {
    return isAll
        || (!other.isAll && names.containsAll(other.names) && fieldIds.containsAll(other.fieldIds));
  }

  /** Returns the selection of the fields that either one selects. */
  public ColumnSelection union(ColumnSelection other) {
    if (isAll || other.isAll) {
      return ALL;
    }
    Set<String> bothNames = new HashSet<>(names);
    bothNames.addAll(other.names);
    Set<Integer> bothIds = new HashSet<>(fieldIds);
    bothIds.addAll(other.fieldIds);
    return new ColumnSelection(false, bothNames, bothIds);
  }
}
