package io.ariadne.columnar.type;

import java.io.Serializable;

/**
 * The logical type of a column. How its values are laid out in memory is a property of each batch:
 * see {@link PhysicalType}.
 */
public sealed interface DataType extends Serializable
    permits PrimitiveType, DecimalType, ListType, StructType, MapType {

  /** Returns the layout that values of this type have unless a batch says otherwise. */
  PhysicalType defaultPhysicalType();
}
