package io.ariadne.columnar.type;

import java.io.Serializable;
import java.util.Objects;

/**
 * A named column of a schema or member of a struct.
 *
 * @param name the name, for people; operators address columns by position
 * @param type the logical type
 * @param nullable whether nulls may occur
 */
public record Field(String name, DataType type, boolean nullable) implements Serializable {
  /** Checks for nulls. */
  public Field {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(type, "type is null");
  }
}
