package io.ariadne.parquet.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.SchemaNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Compares the allowed pairs of file type and requested type with a table transcribed from {@code
 * ParquetVectorUpdaterFactory} of Spark 3.5.8 and 4.1.3.
 */
class TestConversionRules {
  private static final Map<String, DataType> WANTED = new LinkedHashMap<>();

  static {
    WANTED.put("boolean", PrimitiveType.BOOLEAN);
    WANTED.put("i8", PrimitiveType.INT8);
    WANTED.put("i16", PrimitiveType.INT16);
    WANTED.put("i32", PrimitiveType.INT32);
    WANTED.put("i64", PrimitiveType.INT64);
    WANTED.put("f32", PrimitiveType.FLOAT32);
    WANTED.put("f64", PrimitiveType.FLOAT64);
    WANTED.put("date", PrimitiveType.DATE32);
    WANTED.put("ts", PrimitiveType.TIMESTAMP_MICROS);
    WANTED.put("ntz", PrimitiveType.TIMESTAMP_NTZ_MICROS);
    WANTED.put("ym", PrimitiveType.INTERVAL_YEAR_MONTH);
    WANTED.put("dt", PrimitiveType.INTERVAL_DAY_TIME);
    WANTED.put("string", PrimitiveType.STRING);
    WANTED.put("binary", PrimitiveType.BINARY);
    WANTED.put("d9.2", new DecimalType(9, 2));
    WANTED.put("d12.2", new DecimalType(12, 2));
    WANTED.put("d12.5", new DecimalType(12, 5));
    WANTED.put("d10.0", new DecimalType(10, 0));
    WANTED.put("d20.0", new DecimalType(20, 0));
    WANTED.put("d22.2", new DecimalType(22, 2));
  }

  private static final String ANY_INT32 = "i8 i16 i32 date ym";
  private static final String WIDE_INT32 = ANY_INT32 + " i64 f64";

  private static void check(String field, String spark35, String spark4) {
    FileMetadata file = FileSchemas.of("optional " + field + ";");
    SchemaNode leaf = file.leaves().get(0);
    assertEquals(sorted(spark35), allowed(leaf, false), field + " on Spark 3.5");
    assertEquals(sorted(spark4), allowed(leaf, true), field + " on Spark 4");
  }

  private static Set<String> sorted(String names) {
    return names.isEmpty() ? Set.of() : new TreeSet<>(Set.of(names.split(" ")));
  }

  private static Set<String> allowed(SchemaNode leaf, boolean widens) {
    ConversionRules rules = new ConversionRules(widens);
    Set<String> allowed = new TreeSet<>();
    WANTED.forEach(
        (name, type) -> {
          LeafConversion conversion = rules.find(leaf, type);
          if (conversion != null) {
            assertNotNull(conversion.layout());
            assertEquals(type.defaultPhysicalType(), conversion.layout(), leaf + " as " + name);
            allowed.add(name);
          }
        });
    return allowed;
  }

  @Test
  void convertsBooleansAndFloatsLikeSpark() {
    check("boolean x", "boolean", "boolean");
    check("float x", "f32", "f32 f64");
    check("double x", "f64", "f64");
  }

  @Test
  void convertsInt32LikeSpark() {
    check("int32 x", ANY_INT32, WIDE_INT32 + " d10.0 d20.0 d12.2 d22.2");
    check("int32 x (INTEGER(16,true))", ANY_INT32, WIDE_INT32 + " d10.0 d20.0 d12.2 d22.2");
    check("int32 x (INTEGER(32,false))", ANY_INT32 + " i64", WIDE_INT32);
    check("int32 x (INTEGER(8,false))", ANY_INT32, WIDE_INT32);
    check("int32 x (DATE)", ANY_INT32, WIDE_INT32 + " ntz");
    check("int32 x (DECIMAL(9,2))", ANY_INT32 + " d9.2", WIDE_INT32 + " d9.2 d12.2 d12.5 d22.2");
  }

  @Test
  void convertsInt64LikeSpark() {
    check("int64 x", "i64 dt", "i64 dt d20.0 d22.2");
    check("int64 x (INTEGER(64,false))", "i64 dt d20.0", "i64 dt d20.0");
    check("int64 x (DECIMAL(12,2))", "i64 dt d12.2", "i64 dt d12.2 d22.2");
    check("int64 x (DECIMAL(9,2))", "i64 dt d9.2 d12.2", "i64 dt d9.2 d12.2 d12.5 d22.2");
    check("int64 x (TIMESTAMP(MICROS,true))", "i64 dt ts", "i64 dt ts ntz");
    check("int64 x (TIMESTAMP(MILLIS,false))", "i64 dt ts ntz", "i64 dt ts ntz");
    check("int64 x (TIMESTAMP(NANOS,true))", "i64 dt", "i64 dt");
  }

  @Test
  void convertsInt96LikeSpark() {
    check("int96 x", "ts", "ts ntz");
  }

  @Test
  void convertsBytesLikeSpark() {
    check("binary x", "string binary", "string binary");
    check("binary x (STRING)", "string binary", "string binary");
    check("binary x (DECIMAL(9,2))", "string binary d22.2", "string binary d9.2 d12.2 d12.5 d22.2");
    check("fixed_len_byte_array(16) x (UUID)", "binary", "binary");
    check(
        "fixed_len_byte_array(5) x (DECIMAL(9,2))",
        "binary d9.2 d12.2 d22.2",
        "binary d9.2 d12.2 d12.5 d22.2");
  }
}
