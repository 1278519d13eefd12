package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import java.util.EnumSet;
import java.util.Set;

/** Logical types without their parameters. The support tables use them. */
public enum TypeKind {
  /** Only nulls. */
  NULL("void"),
  /** {@link PrimitiveType#BOOLEAN}. */
  BOOLEAN("boolean"),
  /** {@link PrimitiveType#INT8}. */
  INT8("tinyint"),
  /** {@link PrimitiveType#INT16}. */
  INT16("smallint"),
  /** {@link PrimitiveType#INT32}. */
  INT32("int"),
  /** {@link PrimitiveType#INT64}. */
  INT64("bigint"),
  /** {@link PrimitiveType#FLOAT32}. */
  FLOAT32("float"),
  /** {@link PrimitiveType#FLOAT64}. */
  FLOAT64("double"),
  /** {@link DecimalType}. */
  DECIMAL("decimal"),
  /** {@link PrimitiveType#DATE32}. */
  DATE("date"),
  /** {@link PrimitiveType#TIMESTAMP_MICROS}. */
  TIMESTAMP("timestamp"),
  /** {@link PrimitiveType#TIMESTAMP_NTZ_MICROS}. */
  TIMESTAMP_NTZ("timestamp_ntz"),
  /** {@link PrimitiveType#INTERVAL_YEAR_MONTH}. */
  INTERVAL_YEAR_MONTH("interval year to month"),
  /** {@link PrimitiveType#INTERVAL_DAY_TIME}. */
  INTERVAL_DAY_TIME("interval day to second"),
  /** {@link PrimitiveType#STRING}. */
  STRING("string"),
  /** {@link PrimitiveType#BINARY}. */
  BINARY("binary"),
  /** {@link ListType}. */
  LIST("array"),
  /** {@link StructType}. */
  STRUCT("struct"),
  /** {@link MapType}. */
  MAP("map");

  /** Signed integers. */
  public static final Set<TypeKind> INTEGERS = Set.of(INT8, INT16, INT32, INT64);

  /** Binary floating-point numbers. */
  public static final Set<TypeKind> FLOATS = Set.of(FLOAT32, FLOAT64);

  /** Numbers except decimals. */
  public static final Set<TypeKind> NUMBERS = Set.of(INT8, INT16, INT32, INT64, FLOAT32, FLOAT64);

  /** Types that programs keep in one 64-bit register and compare as integers. */
  public static final Set<TypeKind> INTEGER_LIKE =
      Set.of(
          INT8,
          INT16,
          INT32,
          INT64,
          DATE,
          TIMESTAMP,
          TIMESTAMP_NTZ,
          INTERVAL_YEAR_MONTH,
          INTERVAL_DAY_TIME);

  /** Types whose values fit registers: everything fixed-width. */
  public static final Set<TypeKind> FIXED_WIDTH =
      Set.copyOf(EnumSet.range(TypeKind.BOOLEAN, TypeKind.INTERVAL_DAY_TIME));

  /** Types without children. */
  public static final Set<TypeKind> FLAT =
      Set.copyOf(EnumSet.range(TypeKind.BOOLEAN, TypeKind.BINARY));

  /** Types with children. */
  public static final Set<TypeKind> NESTED = Set.of(LIST, STRUCT, MAP);

  /** Types columns of a batch may have; those of children, too. */
  public static final Set<TypeKind> COLUMNS =
      Set.copyOf(EnumSet.range(TypeKind.BOOLEAN, TypeKind.MAP));

  private final String sqlName;

  TypeKind(String sqlName) {
    this.sqlName = sqlName;
  }

  /** Returns the name of the type in SQL. */
  public String sqlName() {
    return sqlName;
  }

  /** Returns the kind of a type. */
  public static TypeKind of(DataType type) {
    if (type instanceof PrimitiveType primitive) {
      return ofPrimitive(primitive);
    }
    if (type instanceof DecimalType) {
      return DECIMAL;
    }
    if (type instanceof ListType) {
      return LIST;
    }
    return type instanceof StructType ? STRUCT : MAP;
  }

  private static TypeKind ofPrimitive(PrimitiveType type) {
    return switch (type) {
      case NULL -> NULL;
      case BOOLEAN -> BOOLEAN;
      case INT8 -> INT8;
      case INT16 -> INT16;
      case INT32 -> INT32;
      case INT64 -> INT64;
      case FLOAT32 -> FLOAT32;
      case FLOAT64 -> FLOAT64;
      case DATE32 -> DATE;
      case TIMESTAMP_MICROS -> TIMESTAMP;
      case TIMESTAMP_NTZ_MICROS -> TIMESTAMP_NTZ;
      case INTERVAL_YEAR_MONTH -> INTERVAL_YEAR_MONTH;
      case INTERVAL_DAY_TIME -> INTERVAL_DAY_TIME;
      case STRING -> STRING;
      case BINARY -> BINARY;
    };
  }
}
