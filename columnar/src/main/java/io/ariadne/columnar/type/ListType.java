package io.ariadne.columnar.type;

/**
 * Lists of one element type, laid out as Arrow {@code List}: 32-bit offsets, one child of elements.
 *
 * @param element type of the elements
 * @param containsNull whether elements may be null
 */
public record ListType(DataType element, boolean containsNull) implements DataType {
  @Override
  public PhysicalType defaultPhysicalType() {
    return PhysicalType.OFFSETS;
  }
}
