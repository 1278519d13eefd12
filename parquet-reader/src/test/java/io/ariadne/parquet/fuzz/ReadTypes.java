package io.ariadne.parquet.fuzz;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.MapType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * Chooses the types as which the columns of a file are read: types that the reader should support.
 */
final class ReadTypes {
  private static final int UNSIGNED_DIGITS = 20;

  private ReadTypes() {}

  /** Returns the top-level columns for which a type is known. */
  static List<Field> of(MessageType schema) {
    List<Field> fields = new ArrayList<>();
    for (Type type : schema.getFields()) {
      DataType read = column(type);
      if (read != null) {
        fields.add(new Field(type.getName(), read, true));
      }
    }
    return fields;
  }

  private static DataType column(Type type) {
    DataType once = type.isPrimitive() ? primitive(type.asPrimitiveType()) : group(type);
    return type.isRepetition(Type.Repetition.REPEATED) && once != null
        ? new ListType(once, true)
        : once;
  }

  private static DataType group(Type type) {
    GroupType group = type.asGroupType();
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    if (annotation instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation) {
      DataType element = element(group.getType(0));
      return element == null ? null : new ListType(element, true);
    }
    if (annotation instanceof LogicalTypeAnnotation.MapLogicalTypeAnnotation) {
      GroupType entry = group.getType(0).asGroupType();
      DataType key = column(entry.getType(0));
      DataType value = entry.getFieldCount() < 2 ? null : column(entry.getType(1));
      return key == null || value == null ? null : new MapType(key, value, true);
    }
    return struct(group);
  }

  private static DataType element(Type repeated) {
    if (repeated.isPrimitive()) {
      return primitive(repeated.asPrimitiveType());
    }
    GroupType group = repeated.asGroupType();
    boolean isElement = group.getFieldCount() > 1 || group.getName().equals("array");
    return isElement ? struct(group) : column(group.getType(0));
  }

  private static DataType struct(GroupType group) {
    List<Field> fields = of(new MessageType(group.getName(), group.getFields()));
    return fields.isEmpty() ? null : new StructType(fields);
  }

  private static DataType primitive(org.apache.parquet.schema.PrimitiveType type) {
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    if (annotation instanceof DecimalLogicalTypeAnnotation decimal) {
      return decimal.getPrecision() > DecimalType.MAX_PRECISION
          ? null
          : new DecimalType(decimal.getPrecision(), decimal.getScale());
    }
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> PrimitiveType.BOOLEAN;
      case INT32 -> integer(annotation);
      case INT64 -> longInteger(annotation);
      case INT96 -> PrimitiveType.TIMESTAMP_MICROS;
      case FLOAT -> PrimitiveType.FLOAT32;
      case DOUBLE -> PrimitiveType.FLOAT64;
      case BINARY ->
          annotation instanceof LogicalTypeAnnotation.StringLogicalTypeAnnotation
              ? PrimitiveType.STRING
              : PrimitiveType.BINARY;
      case FIXED_LEN_BYTE_ARRAY -> annotation == null ? PrimitiveType.BINARY : null;
    };
  }

  private static DataType integer(LogicalTypeAnnotation annotation) {
    if (annotation instanceof LogicalTypeAnnotation.DateLogicalTypeAnnotation) {
      return PrimitiveType.DATE32;
    }
    if (annotation instanceof IntLogicalTypeAnnotation bits) {
      return switch (bits.getBitWidth()) {
        case Byte.SIZE -> bits.isSigned() ? PrimitiveType.INT8 : PrimitiveType.INT16;
        case Short.SIZE -> bits.isSigned() ? PrimitiveType.INT16 : PrimitiveType.INT32;
        default -> bits.isSigned() ? PrimitiveType.INT32 : PrimitiveType.INT64;
      };
    }
    return annotation == null ? PrimitiveType.INT32 : null;
  }

  private static DataType longInteger(LogicalTypeAnnotation annotation) {
    if (annotation instanceof TimestampLogicalTypeAnnotation timestamp) {
      return timestamp.isAdjustedToUTC()
          ? PrimitiveType.TIMESTAMP_MICROS
          : PrimitiveType.TIMESTAMP_NTZ_MICROS;
    }
    if (annotation instanceof IntLogicalTypeAnnotation bits && !bits.isSigned()) {
      return new DecimalType(UNSIGNED_DIGITS, 0);
    }
    return annotation == null || annotation instanceof IntLogicalTypeAnnotation
        ? PrimitiveType.INT64
        : null;
  }
}
