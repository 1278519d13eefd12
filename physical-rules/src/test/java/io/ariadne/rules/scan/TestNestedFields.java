package io.ariadne.rules.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.parquet.schema.FieldIds;
import java.util.List;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class TestNestedFields {
  private static StructField field(DataType type, Metadata metadata) {
    return new StructField("f", type, true, metadata);
  }

  private static StructField field(DataType type) {
    return field(type, Metadata.empty());
  }

  private static Metadata id(long id) {
    return new MetadataBuilder().putLong(NestedFields.FIELD_ID, id).build();
  }

  /** Returns a struct of a plain field and one with the id 7. */
  private static StructType withId() {
    return new StructType(
        new StructField[] {field(DataTypes.LongType), field(DataTypes.LongType, id(7))});
  }

  @Test
  void findsIdsAtAnyDepth() {
    DataType map = new MapType(withId(), new ArrayType(withId(), true), true);
    FieldIds struct = new FieldIds(FieldIds.NONE, List.of(FieldIds.BY_NAME, FieldIds.of(7)));
    FieldIds list = new FieldIds(FieldIds.NONE, List.of(struct));
    assertEquals(
        new FieldIds(-3, List.of(struct, list)), NestedFields.ids(field(map, id(-3))), "a map");
    assertTrue(NestedFields.haveIds(map));
  }

  @Test
  void fieldsWithoutIdsAreFoundByName() {
    DataType list =
        new ArrayType(new StructType(new StructField[] {field(DataTypes.DateType)}), true);
    assertEquals(FieldIds.BY_NAME, NestedFields.ids(field(list)));
    assertFalse(NestedFields.haveIds(list));
    assertFalse(NestedFields.ids(field(list)).hasAny());
  }

  @Test
  void refusesAnIdOutOfRange() {
    assertThrows(
        ArithmeticException.class, () -> NestedFields.ids(field(DataTypes.LongType, id(1L << 40))));
  }

  @Test
  void readsTheSettingOfNullStructs() {
    SQLConf conf = new SQLConf();
    assertFalse(NestedFields.nullsEmptyStructs(conf));
    conf.setConfString("spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing", "true");
    assertTrue(NestedFields.nullsEmptyStructs(conf));
  }
}
