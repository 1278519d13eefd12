package io.ariadne.parquet.metadata;

import java.util.BitSet;

/** Tells for which columns the bounds are in the order that the column's type defines. */
final class ColumnOrders {
  /** The orders of files whose writers predate them: every type with an order uses that order. */
  static final ColumnOrders UNSTATED = new ColumnOrders(null);

  private final BitSet typeDefined;

  private ColumnOrders(BitSet typeDefined) {
    this.typeDefined = typeDefined;
  }

  /** Reads the list that is the current field. */
  static ColumnOrders read(ThriftReader reader) {
    int count = reader.beginList();
    BitSet orders = new BitSet(count);
    for (int i = 0; i < count; i++) {
      reader.beginStruct();
      while (reader.nextField()) {
        if (reader.fieldId() == 1) {
          orders.set(i);
        }
        reader.skip();
      }
    }
    return new ColumnOrders(orders);
  }

  boolean isTypeDefined(int leafIndex) {
    return typeDefined == null || typeDefined.get(leafIndex);
  }
}
