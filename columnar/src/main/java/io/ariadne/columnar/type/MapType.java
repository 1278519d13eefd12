package io.ariadne.columnar.type;

/**
 * Maps, laid out as Arrow {@code Map}: 32-bit offsets, one child of structs of key and value.
 *
 * @param key type of the keys, never null
 * @param value type of the values
 * @param valueContainsNull whether values may be null
 */
public record MapType(DataType key, DataType value, boolean valueContainsNull) implements DataType {
  @Override
  public PhysicalType defaultPhysicalType() {
    return PhysicalType.OFFSETS;
  }
}
