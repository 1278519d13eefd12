package io.ariadne.parquet.metadata;

import java.util.BitSet;

/** Which columns' bounds are in the order that their type defines. */
final class ColumnOrders {
  /** Files of writers before the orders were introduced: by type wherever a type has an order. */
  static final ColumnOrders UNSAID = new ColumnOrders(null);

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
