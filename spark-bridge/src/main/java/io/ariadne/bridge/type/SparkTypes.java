package io.ariadne.bridge.type;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.CharType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.UserDefinedType;
import org.apache.spark.sql.types.VarcharType;
import org.apache.spark.sql.types.YearMonthIntervalType;

/**
 * Maps Spark's types to Ariadne's and back.
 *
 * <p>Spark's types are recognised by exact class: a subclass may mean something else (a collated
 * string, a char) and is unsupported with a reason. Stateless.
 */
public final class SparkTypes {
  private static final Map<Class<?>, PrimitiveType> PRIMITIVES =
      Map.ofEntries(
          Map.entry(DataTypes.NullType.getClass(), PrimitiveType.NULL),
          Map.entry(DataTypes.BooleanType.getClass(), PrimitiveType.BOOLEAN),
          Map.entry(DataTypes.ByteType.getClass(), PrimitiveType.INT8),
          Map.entry(DataTypes.ShortType.getClass(), PrimitiveType.INT16),
          Map.entry(DataTypes.IntegerType.getClass(), PrimitiveType.INT32),
          Map.entry(DataTypes.LongType.getClass(), PrimitiveType.INT64),
          Map.entry(DataTypes.FloatType.getClass(), PrimitiveType.FLOAT32),
          Map.entry(DataTypes.DoubleType.getClass(), PrimitiveType.FLOAT64),
          Map.entry(DataTypes.DateType.getClass(), PrimitiveType.DATE32),
          Map.entry(DataTypes.TimestampType.getClass(), PrimitiveType.TIMESTAMP_MICROS),
          Map.entry(DataTypes.TimestampNTZType.getClass(), PrimitiveType.TIMESTAMP_NTZ_MICROS),
          Map.entry(YearMonthIntervalType.class, PrimitiveType.INTERVAL_YEAR_MONTH),
          Map.entry(DayTimeIntervalType.class, PrimitiveType.INTERVAL_DAY_TIME),
          Map.entry(DataTypes.BinaryType.getClass(), PrimitiveType.BINARY));

  private SparkTypes() {}

  /** Returns why Ariadne does not support a type, or empty when it does. */
  public static Optional<String> unsupportedReason(org.apache.spark.sql.types.DataType type) {
    Class<?> exactClass = type.getClass();
    if (PRIMITIVES.containsKey(exactClass) || isPlainString(type)) {
      return Optional.empty();
    }
    if (exactClass == DecimalType.class) {
      return decimalReason((DecimalType) type);
    }
    if (exactClass == ArrayType.class) {
      return unsupportedReason(((ArrayType) type).elementType());
    }
    if (exactClass == MapType.class) {
      MapType map = (MapType) type;
      return unsupportedReason(map.keyType()).or(() -> unsupportedReason(map.valueType()));
    }
    if (exactClass == StructType.class) {
      return unsupportedReason((StructType) type);
    }
    return Optional.of("type " + type.sql() + " is not supported");
  }

  /**
   * Returns why Ariadne does not support a schema, naming the first such column, or empty when it
   * does.
   */
  public static Optional<String> unsupportedReason(StructType schema) {
    for (StructField field : schema.fields()) {
      Optional<String> reason = unsupportedReason(field.dataType());
      if (reason.isPresent()) {
        return Optional.of("column " + field.name() + ": " + reason.get());
      }
    }
    return Optional.empty();
  }

  private static Optional<String> decimalReason(DecimalType type) {
    return type.scale() < 0
        ? Optional.of("type " + type.sql() + " is not supported: its scale is negative")
        : Optional.empty();
  }

  /**
   * Returns whether all strings in a type, at any depth, are compared, ordered and hashed by their
   * bytes, as Ariadne does. This is false for strings with another collation, and for char and
   * varchar, whose values must be padded or checked. It is true for a type without strings.
   */
  public static boolean comparesByBytes(org.apache.spark.sql.types.DataType type) {
    if (type instanceof StringType || type instanceof CharType || type instanceof VarcharType) {
      return isPlainString(type);
    }
    if (type instanceof ArrayType array) {
      return comparesByBytes(array.elementType());
    }
    if (type instanceof MapType map) {
      return comparesByBytes(map.keyType()) && comparesByBytes(map.valueType());
    }
    if (type instanceof UserDefinedType<?> user) {
      return comparesByBytes(user.sqlType());
    }
    return !(type instanceof StructType struct)
        || Arrays.stream(struct.fields()).allMatch(field -> comparesByBytes(field.dataType()));
  }

  /** Returns whether the type is string with binary collation, neither char nor varchar. */
  private static boolean isPlainString(org.apache.spark.sql.types.DataType type) {
    Class<?> exactClass = type.getClass();
    return (exactClass == DataTypes.StringType.getClass() || exactClass == StringType.class)
        && type.equals(DataTypes.StringType);
  }

  /**
   * Returns Ariadne's type.
   *
   * @throws EngineException UNSUPPORTED, with the text of {@link #unsupportedReason}
   */
  public static DataType fromSpark(org.apache.spark.sql.types.DataType type) {
    PrimitiveType primitive = PRIMITIVES.get(type.getClass());
    if (primitive != null) {
      return primitive;
    }
    Optional<String> reason = unsupportedReason(type);
    if (reason.isPresent()) {
      throw new EngineException(ErrorCode.UNSUPPORTED, reason.get());
    }
    if (type instanceof DecimalType decimal) {
      return new io.ariadne.columnar.type.DecimalType(decimal.precision(), decimal.scale());
    }
    if (type instanceof ArrayType array) {
      return new ListType(fromSpark(array.elementType()), array.containsNull());
    }
    if (type instanceof MapType map) {
      return new io.ariadne.columnar.type.MapType(
          fromSpark(map.keyType()), fromSpark(map.valueType()), map.valueContainsNull());
    }
    if (type instanceof StructType struct) {
      return new io.ariadne.columnar.type.StructType(schema(struct).fields());
    }
    return PrimitiveType.STRING;
  }

  /**
   * Returns the columns of a Spark schema.
   *
   * @throws EngineException UNSUPPORTED, with the text of {@link #unsupportedReason}
   */
  public static Schema schema(StructType struct) {
    List<Field> fields = new ArrayList<>();
    for (StructField field : struct.fields()) {
      fields.add(new Field(field.name(), fromSpark(field.dataType()), field.nullable()));
    }
    return new Schema(fields);
  }

  /**
   * Returns the output columns of a plan node.
   *
   * @throws EngineException UNSUPPORTED, with the text of {@link #unsupportedReason}
   */
  public static Schema schema(scala.collection.Seq<? extends Attribute> output) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < output.size(); i++) {
      Attribute attribute = output.apply(i);
      fields.add(
          new Field(attribute.name(), fromSpark(attribute.dataType()), attribute.nullable()));
    }
    return new Schema(fields);
  }

  /** Returns the types of a Spark schema's columns. */
  public static org.apache.spark.sql.types.DataType[] columnTypes(StructType struct) {
    StructField[] fields = struct.fields();
    var types = new org.apache.spark.sql.types.DataType[fields.length];
    for (int i = 0; i < fields.length; i++) {
      types[i] = fields[i].dataType();
    }
    return types;
  }

  /**
   * Returns Spark's type. Year-month intervals become {@code YEAR TO MONTH} and day-time intervals
   * {@code DAY TO SECOND}, because Ariadne's types do not keep the fields.
   */
  public static org.apache.spark.sql.types.DataType toSpark(DataType type) {
    if (type instanceof PrimitiveType primitive) {
      return toSpark(primitive);
    }
    if (type instanceof io.ariadne.columnar.type.DecimalType decimal) {
      return DataTypes.createDecimalType(decimal.precision(), decimal.scale());
    }
    if (type instanceof ListType list) {
      return DataTypes.createArrayType(toSpark(list.element()), list.containsNull());
    }
    if (type instanceof io.ariadne.columnar.type.MapType map) {
      return DataTypes.createMapType(
          toSpark(map.key()), toSpark(map.value()), map.valueContainsNull());
    }
    return structType(((io.ariadne.columnar.type.StructType) type).fields());
  }

  /** Returns Spark's schema of these columns, as {@link #toSpark} maps their types. */
  public static StructType structType(List<Field> columns) {
    StructField[] fields = new StructField[columns.size()];
    for (int i = 0; i < fields.length; i++) {
      Field column = columns.get(i);
      fields[i] =
          new StructField(
              column.name(), toSpark(column.type()), column.nullable(), Metadata.empty());
    }
    return new StructType(fields);
  }

  private static org.apache.spark.sql.types.DataType toSpark(PrimitiveType type) {
    return switch (type) {
      case NULL -> DataTypes.NullType;
      case BOOLEAN -> DataTypes.BooleanType;
      case INT8 -> DataTypes.ByteType;
      case INT16 -> DataTypes.ShortType;
      case INT32 -> DataTypes.IntegerType;
      case INT64 -> DataTypes.LongType;
      case FLOAT32 -> DataTypes.FloatType;
      case FLOAT64 -> DataTypes.DoubleType;
      case DATE32 -> DataTypes.DateType;
      case TIMESTAMP_MICROS -> DataTypes.TimestampType;
      case TIMESTAMP_NTZ_MICROS -> DataTypes.TimestampNTZType;
      case INTERVAL_YEAR_MONTH -> DataTypes.createYearMonthIntervalType();
      case INTERVAL_DAY_TIME -> DataTypes.createDayTimeIntervalType();
      case STRING -> DataTypes.StringType;
      case BINARY -> DataTypes.BinaryType;
    };
  }
}
