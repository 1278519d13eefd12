package io.ariadne.rules.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
  private static final Metadata ID =
      new MetadataBuilder().putLong(NestedFields.FIELD_ID, 7).build();

  private static StructType struct(DataType type, Metadata metadata) {
    return new StructType(new StructField[] {new StructField("f", type, true, metadata)});
  }

  /** Returns a schema whose column has the type inside a list inside a map inside a struct. */
  private static StructType deep(DataType type) {
    DataType map = new MapType(DataTypes.StringType, new ArrayType(type, true), true);
    return struct(struct(map, Metadata.empty()), Metadata.empty());
  }

  private static boolean isRefused(StructType schema, String setting) {
    SQLConf conf = new SQLConf();
    assertTrue(NestedFields.reasonAgainst(schema, conf).isEmpty(), "by default");
    conf.setConfString(setting, "true");
    return NestedFields.reasonAgainst(schema, conf).isPresent();
  }

  @Test
  void testRefusesNestedFieldIds() {
    String setting = "spark.sql.parquet.fieldId.read.enabled";
    assertTrue(isRefused(deep(struct(DataTypes.LongType, ID)), setting));
    assertTrue(isRefused(struct(struct(DataTypes.LongType, ID), ID), setting));
    assertEquals(false, isRefused(struct(DataTypes.LongType, ID), setting));
    assertEquals(false, isRefused(deep(struct(DataTypes.LongType, Metadata.empty())), setting));
  }

  @Test
  void testRefusesShiftedTimestampsAtAnyDepth() {
    String setting = "spark.sql.parquet.int96TimestampConversion";
    assertTrue(isRefused(deep(DataTypes.TimestampType), setting));
    assertTrue(isRefused(struct(DataTypes.TimestampType, Metadata.empty()), setting));
    assertEquals(false, isRefused(deep(DataTypes.DateType), setting));
  }

  @Test
  void testRefusesNullStructs() {
    String setting = "spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing";
    assertTrue(isRefused(deep(DataTypes.LongType), setting));
    assertEquals(false, isRefused(struct(DataTypes.LongType, Metadata.empty()), setting));
  }
}
