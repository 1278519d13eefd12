package io.ariadne.parquet.schema;

import java.io.Serializable;
import java.util.List;

/**
 * The Parquet field ids by which a wanted field, and what is inside it, are looked up in a file
 * instead of by their names. Immutable.
 *
 * @param id the field's id, {@link #NONE} for one that is looked up by name
 * @param inside the same for the members of a struct, the entry of a list, or key and value of a
 *     map; empty where nothing inside has an id
 */
public record FieldIds(int id, List<FieldIds> inside) implements Serializable {
  /** {@link #id()} of a field that is looked up by name; Parquet's ids may be negative too. */
  public static final int NONE = Integer.MIN_VALUE;

  /** Names all the way down. */
  public static final FieldIds BY_NAME = new FieldIds(NONE, List.of());

  /** Copies the list. */
  public FieldIds {
    inside = List.copyOf(inside);
  }

  /** Returns the ids of a field with nothing inside, or nothing inside that has an id. */
  public static FieldIds of(int id) {
    return new FieldIds(id, List.of());
  }

  /** Returns whether this field is looked up by its id. */
  public boolean hasId() {
    return id != NONE;
  }

  /** Returns whether this field or any inside is looked up by its id. */
  public boolean hasAny() {
    return hasId() || inside.stream().anyMatch(FieldIds::hasAny);
  }

  /** Returns the ids of what is inside at a position. */
  FieldIds at(int position) {
    return inside.isEmpty() ? BY_NAME : inside.get(position);
  }
}
