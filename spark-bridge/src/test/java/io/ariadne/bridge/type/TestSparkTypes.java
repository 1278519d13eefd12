package io.ariadne.bridge.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VarcharType;
import org.junit.jupiter.api.Test;

/**
 * Tests that types map both ways, and that types that only resemble supported ones are rejected.
 */
class TestSparkTypes {
  @Test
  void everyTypeMapsBothWays() {
    List<DataType> types = new ArrayList<>(RandomBatches.flatTypes());
    types.add(PrimitiveType.NULL);
    types.addAll(RandomBatches.nestedTypes());
    for (DataType type : types) {
      var spark = SparkTypes.toSpark(type);
      assertEquals(Optional.empty(), SparkTypes.unsupportedReason(spark));
      assertEquals(type, SparkTypes.fromSpark(spark));
    }
  }

  @Test
  void schemasKeepNamesAndNullability() {
    StructType schema = new StructType().add("a", "int", false).add("b", "array<string>", true);
    assertEquals(schema, SparkTypes.structType(SparkTypes.schema(schema).fields()));
  }

  @Test
  void rejectsUnknownTypesAtAnyDepth() {
    assertRefused(DataTypes.CalendarIntervalType, "INTERVAL");
    assertRefused(CharType.apply(3), "CHAR(3)");
    assertRefused(VarcharType.apply(3), "VARCHAR(3)");
    assertRefused(DataTypes.createArrayType(DataTypes.CalendarIntervalType), "INTERVAL");
    assertRefused(DataTypes.createMapType(DataTypes.StringType, CharType.apply(2)), "CHAR(2)");
    assertRefused(new StructType().add("inner", DataTypes.CalendarIntervalType), "column inner");
  }

  /** Collated strings and variants exist only on Spark 4, whose parser is used. */
  @Test
  void rejectsTypesOfSpark4() {
    for (String sql : List.of("STRING COLLATE UNICODE_CI", "VARIANT")) {
      StructType schema;
      try {
        schema = StructType.fromDDL("c " + sql);
      } catch (Exception e) {
        continue;
      }
      String reason = SparkTypes.unsupportedReason(schema).orElseThrow();
      assertTrue(reason.startsWith("column c: type "), reason);
      assertEquals(sql.equals("VARIANT"), SparkTypes.comparesByBytes(schema), sql);
    }
  }

  @Test
  void onlyPlainStringsCompareByBytes() {
    for (DataType type : RandomBatches.nestedTypes()) {
      assertTrue(SparkTypes.comparesByBytes(SparkTypes.toSpark(type)));
    }
    for (var text :
        List.<org.apache.spark.sql.types.DataType>of(CharType.apply(3), VarcharType.apply(3))) {
      for (var type :
          List.<org.apache.spark.sql.types.DataType>of(
              text,
              DataTypes.createArrayType(text),
              DataTypes.createMapType(text, DataTypes.IntegerType),
              DataTypes.createMapType(DataTypes.IntegerType, text),
              new StructType().add("a", "int").add("b", DataTypes.createArrayType(text)))) {
        assertFalse(SparkTypes.comparesByBytes(type), type.sql());
      }
    }
  }

  @Test
  void deserialisedTypesAreRecognised() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new StructType().add("s", "string").add("t", "timestamp"));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      StructType copy = (StructType) in.readObject();
      assertEquals(PrimitiveType.STRING, SparkTypes.fromSpark(copy.fields()[0].dataType()));
      assertEquals(
          PrimitiveType.TIMESTAMP_MICROS, SparkTypes.fromSpark(copy.fields()[1].dataType()));
    }
  }

  private static void assertRefused(org.apache.spark.sql.types.DataType type, String part) {
    String reason = SparkTypes.unsupportedReason(type).orElseThrow();
    assertTrue(reason.contains(part), reason);
    EngineException error = assertThrows(EngineException.class, () -> SparkTypes.fromSpark(type));
    assertEquals(ErrorCode.UNSUPPORTED, error.code());
  }
}
