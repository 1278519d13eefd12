package io.ariadne.rules.exec.translation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Each of the keys by which rows are dealt out tells rows apart. */
class TestRoundRobinTranslation {
  private static final DataType STRING = DataTypes.StringType;
  private static final DataType INTEGER = DataTypes.IntegerType;

  private static List<SortOrder> keys(DataType type) {
    return RoundRobinTranslation.order(
        List.of(new BoundReference(0, type, true), new BoundReference(1, type, true)));
  }

  private static InternalRow row(Object... values) {
    return new GenericInternalRow(values);
  }

  private static void assertToldApart(DataType type, InternalRow a, InternalRow b) {
    for (SortOrder key : keys(type)) {
      Expression hash = key.child();
      assertNotEquals(hash.eval(a), hash.eval(b), hash::toString);
    }
  }

  @Test
  void distinguishesValues() {
    assertToldApart(INTEGER, row(1, 2), row(2, 1));
    assertToldApart(STRING, row(text("ab"), text("c")), row(text("a"), text("bc")));
  }

  /** Spark's hashes alone leave nulls out. */
  @Test
  void distinguishesNulls() {
    assertToldApart(INTEGER, row(1, null), row(null, 1));
    assertToldApart(STRING, row(text("a"), null), row(null, text("a")));
    assertToldApart(INTEGER, row(null, null), row(null, 0));
  }

  /** What collides in one function for every seed does not in the other. */
  @Test
  void sortsByTwoKindsOfHashes() {
    List<SortOrder> keys = keys(INTEGER);
    assertEquals(2, keys.size());
    assertNotEquals(keys.get(0).child().getClass(), keys.get(1).child().getClass());
  }

  private static UTF8String text(String value) {
    return UTF8String.fromString(value);
  }
}
