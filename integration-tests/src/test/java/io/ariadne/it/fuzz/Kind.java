package io.ariadne.it.fuzz;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Kinds of values. Expressions of the same kind are interchangeable: Spark's own coercion joins
 * decimals of any precision.
 */
enum Kind {
  BOOLEAN("z", "boolean", DataTypes.BooleanType),
  BYTE("b", "tinyint", DataTypes.ByteType),
  SHORT("s", "smallint", DataTypes.ShortType),
  INT("i", "int", DataTypes.IntegerType),
  LONG("l", "bigint", DataTypes.LongType),
  FLOAT("f", "float", DataTypes.FloatType),
  DOUBLE("d", "double", DataTypes.DoubleType),
  DECIMAL("n", "decimal(18, 4)", DataTypes.createDecimalType(18, 4)),
  DATE("a", "date", DataTypes.DateType),
  TIMESTAMP("t", "timestamp", DataTypes.TimestampType),
  NTZ("u", "timestamp_ntz", DataTypes.TimestampNTZType),
  YEARS("y", "interval year to month", DataTypes.createYearMonthIntervalType()),
  DAYS("k", "interval day to second", DataTypes.createDayTimeIntervalType()),
  STRING("c", "string", DataTypes.StringType),
  BINARY("x", "binary", DataTypes.BinaryType),
  INTS("r", "array<int>", DataTypes.createArrayType(DataTypes.IntegerType)),
  STRINGS("q", "array<string>", DataTypes.createArrayType(DataTypes.StringType)),
  STRUCT(
      "w",
      "struct<a: int, b: string>",
      new StructType().add("a", DataTypes.IntegerType).add("b", DataTypes.StringType)),
  STRUCTS("e", "array<" + STRUCT.sql + ">", DataTypes.createArrayType(STRUCT.type)),
  MAP(
      "p",
      "map<string, int>",
      DataTypes.createMapType(DataTypes.StringType, DataTypes.IntegerType));

  private static final Set<Kind> NESTED = EnumSet.of(INTS, STRINGS, STRUCT, STRUCTS, MAP);
  private static final Set<Kind> INTEGRALS = EnumSet.of(BYTE, SHORT, INT, LONG);
  private static final Set<Kind> NUMBERS = EnumSet.range(BYTE, DECIMAL);

  private final String prefix;
  private final String sql;
  private final DataType type;

  Kind(String prefix, String sql, DataType type) {
    this.prefix = prefix;
    this.sql = sql;
    this.type = type;
  }

  /** Returns the letter with which names of columns of the kind begin. */
  String prefix() {
    return prefix;
  }

  /** Returns the type's name in SQL. */
  String sql() {
    return sql;
  }

  /** Returns the type of a table's first column of the kind. */
  DataType type() {
    return type;
  }

  /** Returns whether values have an order, so that they may be sorted, grouped and joined by. */
  boolean isOrdered() {
    return this != MAP;
  }

  /** Returns whether values are neither arrays, nor structs, nor maps. */
  boolean isFlat() {
    return !NESTED.contains(this);
  }

  /** Returns whether zeros have signs, which comparisons do not see. */
  boolean isFloating() {
    return this == FLOAT || this == DOUBLE;
  }

  /**
   * Returns the kinds of a set, for example {@code NUMBER}; of a kind's own name that kind alone.
   */
  static List<Kind> set(String name) {
    Stream<Kind> all = Stream.of(values());
    return switch (name) {
      case "ANY" -> all.toList();
      case "ORDERED" -> all.filter(Kind::isOrdered).toList();
      case "UNSIGNED" -> all.filter(Kind::isOrdered).filter(kind -> !kind.isFloating()).toList();
      case "FLAT" -> all.filter(Kind::isFlat).toList();
      case "NUMBER" -> List.copyOf(NUMBERS);
      case "INTEGRAL" -> List.copyOf(INTEGRALS);
      case "FLOATING" -> List.of(FLOAT, DOUBLE);
      default -> List.of(valueOf(name));
    };
  }
}
