package io.ariadne.columnar.type;

import java.io.Serializable;
import java.util.List;

/**
 * The columns of a batch, by position.
 *
 * @param fields the columns in order; names need not be unique
 */
public record Schema(List<Field> fields) implements Serializable {
  /** Copies the list. */
  public Schema {
    fields = List.copyOf(fields);
  }

  /** Returns a schema of these fields. */
  public static Schema of(Field... fields) {
    return new Schema(List.of(fields));
  }

  /** Returns the number of columns. */
  public int columnCount() {
    return fields.size();
  }

  /** Returns the column at {@code index}. */
  public Field field(int index) {
    return fields.get(index);
  }
}
