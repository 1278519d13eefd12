package io.ariadne.columnar.type;

import java.util.List;

/**
 * Structs, laid out as Arrow {@code Struct}.
 *
 * @param fields the members in order
 */
public record StructType(List<Field> fields) implements DataType {
  /** Copies the list. */
  public StructType {
    fields = List.copyOf(fields);
  }

  @Override
  public PhysicalType defaultPhysicalType() {
    return PhysicalType.NONE;
  }
}
