package io.ariadne.parquet.schema;

import java.io.Serializable;
import java.util.List;

/**
 * The Parquet field ids of a requested field and of its members, which replace names when they are
 * looked up in a file. Immutable.
 *
 * @param id the field's id, {@link #NONE} for a field that is looked up by name
 * @param inside the ids of the members of a struct, the entry of a list, or key and value of a map;
 *     empty where no member has an id
 */
public record FieldIds(int id, List<FieldIds> inside) implements Serializable {
  /** {@link #id()} of a field that is looked up by name. Ids in a file may be negative. */
  public static final int NONE = Integer.MIN_VALUE;

  /** Looks up the field and all members by name. */
  public static final FieldIds BY_NAME = new FieldIds(NONE, List.of());

  /** Copies the list. */
  public FieldIds {
    inside = List.copyOf(inside);
  }

  /** Returns the ids of a field that has no members, or none with an id. */
  public static FieldIds of(int id) {
    return new FieldIds(id, List.of());
  }

  /** Returns whether this field is looked up by its id. */
  public boolean hasId() {
    return id != NONE;
  }

  /** Returns whether this field or any member is looked up by its id. */
  public boolean hasAny() {
    return hasId() || inside.stream().anyMatch(FieldIds::hasAny);
  }

  /** Returns the ids of the member at a position. */
  FieldIds at(int position) {
    return inside.isEmpty() ? BY_NAME : inside.get(position);
  }
}
