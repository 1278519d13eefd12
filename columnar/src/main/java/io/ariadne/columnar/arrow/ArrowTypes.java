package io.ariadne.columnar.arrow;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.columnar.type.StructType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.complex.MapVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.IntervalUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;

/**
 * Types here and in Arrow, one to one but for strings: UTF-8 of any offset width and views are
 * STRING, likewise BINARY. Instants are exported as microseconds in time zone UTC.
 */
public final class ArrowTypes {
  private static final String UTC = "UTC";
  private static final String LIST_ELEMENT = "element";
  private static final int DECIMAL_BITS = 128;

  private ArrowTypes() {}

  /**
   * Converts an Arrow schema.
   *
   * @throws EngineException UNSUPPORTED naming the first field and type without a counterpart
   */
  public static Schema fromArrow(org.apache.arrow.vector.types.pojo.Schema schema) {
    return new Schema(schema.getFields().stream().map(ArrowTypes::fromArrow).toList());
  }

  /**
   * Converts an Arrow field.
   *
   * @throws EngineException UNSUPPORTED when the type has no counterpart or is dictionary encoded
   */
  public static Field fromArrow(org.apache.arrow.vector.types.pojo.Field field) {
    return new Field(field.getName(), typeOf(field), field.isNullable());
  }

  /** Converts a schema to Arrow. */
  public static org.apache.arrow.vector.types.pojo.Schema toArrow(Schema schema) {
    return new org.apache.arrow.vector.types.pojo.Schema(
        schema.fields().stream().map(ArrowTypes::toArrow).toList());
  }

  /** Converts a field to Arrow. */
  public static org.apache.arrow.vector.types.pojo.Field toArrow(Field field) {
    return field(field.name(), field.type(), field.nullable());
  }

  private static DataType typeOf(org.apache.arrow.vector.types.pojo.Field field) {
    if (field.getDictionary() != null) {
      throw unsupported(field, "dictionary encoding; decode it first");
    }
    ArrowType type = field.getType();
    return switch (type.getTypeID()) {
      case Null -> PrimitiveType.NULL;
      case Bool -> PrimitiveType.BOOLEAN;
      case Utf8, LargeUtf8 -> PrimitiveType.STRING;
      case Binary, LargeBinary -> PrimitiveType.BINARY;
      case Int -> integer(field, (ArrowType.Int) type);
      case FloatingPoint -> floatingPoint(field, (ArrowType.FloatingPoint) type);
      case Decimal -> decimal(field, (ArrowType.Decimal) type);
      case Date, Timestamp, Interval, Duration -> temporal(field, type);
      case List -> {
        Field element = fromArrow(field.getChildren().get(0));
        yield new ListType(element.type(), element.nullable());
      }
      case Struct ->
          new StructType(field.getChildren().stream().map(ArrowTypes::fromArrow).toList());
      case Map -> {
        List<org.apache.arrow.vector.types.pojo.Field> entry =
            field.getChildren().get(0).getChildren();
        Field value = fromArrow(entry.get(1));
        yield new MapType(typeOf(entry.get(0)), value.type(), value.nullable());
      }
      default -> byName(field, type.getTypeID().name());
    };
  }

  /** Views have no classes in the older versions. */
  private static DataType byName(org.apache.arrow.vector.types.pojo.Field field, String name) {
    return switch (name) {
      case "Utf8View" -> PrimitiveType.STRING;
      case "BinaryView" -> PrimitiveType.BINARY;
      default -> throw unsupported(field, "type " + field.getType());
    };
  }

  private static DataType integer(
      org.apache.arrow.vector.types.pojo.Field field, ArrowType.Int type) {
    if (!type.getIsSigned()) {
      throw unsupported(field, "unsigned integers");
    }
    return switch (type.getBitWidth()) {
      case Byte.SIZE -> PrimitiveType.INT8;
      case Short.SIZE -> PrimitiveType.INT16;
      case Integer.SIZE -> PrimitiveType.INT32;
      case Long.SIZE -> PrimitiveType.INT64;
      default -> throw unsupported(field, "type " + type);
    };
  }

  private static DataType floatingPoint(
      org.apache.arrow.vector.types.pojo.Field field, ArrowType.FloatingPoint type) {
    return switch (type.getPrecision()) {
      case SINGLE -> PrimitiveType.FLOAT32;
      case DOUBLE -> PrimitiveType.FLOAT64;
      case HALF -> throw unsupported(field, "type " + type);
    };
  }

  private static DataType decimal(
      org.apache.arrow.vector.types.pojo.Field field, ArrowType.Decimal type) {
    boolean hasCounterpart =
        type.getBitWidth() == DECIMAL_BITS
            && type.getPrecision() >= 1
            && type.getPrecision() <= DecimalType.MAX_PRECISION
            && type.getScale() <= type.getPrecision();
    if (!hasCounterpart) {
      throw unsupported(field, "type " + type);
    }
    return new DecimalType(type.getPrecision(), type.getScale());
  }

  private static DataType temporal(org.apache.arrow.vector.types.pojo.Field field, ArrowType type) {
    if (type instanceof ArrowType.Date date && date.getUnit() == DateUnit.DAY) {
      return PrimitiveType.DATE32;
    }
    if (type instanceof ArrowType.Timestamp stamp && stamp.getUnit() == TimeUnit.MICROSECOND) {
      return stamp.getTimezone() == null
          ? PrimitiveType.TIMESTAMP_NTZ_MICROS
          : PrimitiveType.TIMESTAMP_MICROS;
    }
    if (type instanceof ArrowType.Interval interval
        && interval.getUnit() == IntervalUnit.YEAR_MONTH) {
      return PrimitiveType.INTERVAL_YEAR_MONTH;
    }
    if (type instanceof ArrowType.Duration duration && duration.getUnit() == TimeUnit.MICROSECOND) {
      return PrimitiveType.INTERVAL_DAY_TIME;
    }
    throw unsupported(field, "type " + type);
  }

  private static org.apache.arrow.vector.types.pojo.Field field(
      String name, DataType type, boolean nullable) {
    return new org.apache.arrow.vector.types.pojo.Field(
        name, new FieldType(nullable, toArrow(type), null), children(type));
  }

  private static ArrowType toArrow(DataType type) {
    if (type instanceof DecimalType decimal) {
      return new ArrowType.Decimal(decimal.precision(), decimal.scale(), DECIMAL_BITS);
    }
    if (type instanceof ListType) {
      return ArrowType.List.INSTANCE;
    }
    if (type instanceof StructType) {
      return ArrowType.Struct.INSTANCE;
    }
    if (type instanceof MapType) {
      return new ArrowType.Map(false);
    }
    return switch ((PrimitiveType) type) {
      case NULL -> ArrowType.Null.INSTANCE;
      case BOOLEAN -> ArrowType.Bool.INSTANCE;
      case INT8 -> new ArrowType.Int(Byte.SIZE, true);
      case INT16 -> new ArrowType.Int(Short.SIZE, true);
      case INT32 -> new ArrowType.Int(Integer.SIZE, true);
      case INT64 -> new ArrowType.Int(Long.SIZE, true);
      case FLOAT32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case FLOAT64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case DATE32 -> new ArrowType.Date(DateUnit.DAY);
      case TIMESTAMP_MICROS -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, UTC);
      case TIMESTAMP_NTZ_MICROS -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
      case INTERVAL_YEAR_MONTH -> new ArrowType.Interval(IntervalUnit.YEAR_MONTH);
      case INTERVAL_DAY_TIME -> new ArrowType.Duration(TimeUnit.MICROSECOND);
      case STRING -> ArrowType.Utf8.INSTANCE;
      case BINARY -> ArrowType.Binary.INSTANCE;
    };
  }

  private static List<org.apache.arrow.vector.types.pojo.Field> children(DataType type) {
    List<org.apache.arrow.vector.types.pojo.Field> children = new ArrayList<>();
    if (type instanceof ListType list) {
      children.add(field(LIST_ELEMENT, list.element(), list.containsNull()));
    } else if (type instanceof StructType struct) {
      struct.fields().forEach(member -> children.add(toArrow(member)));
    } else if (type instanceof MapType map) {
      List<org.apache.arrow.vector.types.pojo.Field> entry =
          List.of(
              field(MapVector.KEY_NAME, map.key(), false),
              field(MapVector.VALUE_NAME, map.value(), map.valueContainsNull()));
      children.add(
          new org.apache.arrow.vector.types.pojo.Field(
              MapVector.DATA_VECTOR_NAME,
              new FieldType(false, ArrowType.Struct.INSTANCE, null),
              entry));
    }
    return children;
  }

  private static EngineException unsupported(
      org.apache.arrow.vector.types.pojo.Field field, String what) {
    return new EngineException(
        ErrorCode.UNSUPPORTED, "Arrow field " + field.getName() + ": unsupported " + what);
  }
}
