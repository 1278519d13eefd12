package io.ariadne.expression.nested;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.StructType;

/**
 * Encodes arrays and structs as bytes whose order, compared as unsigned bytes, is Spark's order of
 * the values: the first element or member that differs decides, and null comes before every other
 * value there; an array comes before a longer array that begins with it. A null array or struct
 * gives null. No value's bytes are a prefix of another value's bytes.
 *
 * <p>Integers and decimals are written from the most significant byte with the sign inverted.
 * Floats are written so that NaN is the largest and both zeros are equal. Strings have {@code 00
 * 01} for a zero byte and end with {@code 00 00}. A member is preceded by 0 for null, else 1; an
 * element by 1 for null, else 2; 0 follows the last element. Source of the scheme: FoundationDB's
 * tuple layer.
 *
 * @param type of the values, which {@link #supports} accepts
 */
public record OrderBytes(DataType type) implements NestedFunction {
  private static final long serialVersionUID = 1L;

  private static final int NULL_MEMBER = 0;
  private static final int MEMBER = 1;
  private static final int LIST_END = 0;
  private static final int NULL_ELEMENT = 1;
  private static final int ELEMENT = 2;

  /** Returns whether values of a type are arrays or structs whose parts all have an order. */
  public static boolean supports(DataType type) {
    if (type instanceof ListType list) {
      return isOrdered(list.element());
    }
    return type instanceof StructType struct
        && struct.fields().stream().map(Field::type).allMatch(OrderBytes::isOrdered);
  }

  private static boolean isOrdered(DataType type) {
    return switch (type.defaultPhysicalType()) {
      case OFFSETS -> supports(type);
      case NONE -> type == PrimitiveType.NULL || supports(type);
      case DICTIONARY32 -> false;
      default -> true;
    };
  }

  @Override
  public DataType resultType() {
    return PrimitiveType.BINARY;
  }

  @Override
  public String description() {
    return "order of " + type;
  }

  @Override
  public boolean dependsOnItsRowOnly() {
    return true;
  }

  @Override
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    ColumnReader reader = new ColumnReader(arguments.column(0));
    ByteSequence bytes = new ByteSequence();
    try (ViewBuilder builder =
        (ViewBuilder) ColumnBuilder.create(PrimitiveType.BINARY, allocator)) {
      for (int row = 0; row < reader.rowCount(); row++) {
        if (reader.isNull(row)) {
          builder.appendNull();
        } else {
          bytes.clear();
          write(reader, row, bytes);
          builder.append(bytes.array(), 0, bytes.length());
        }
      }
      return builder.build();
    }
  }

  /** Writes a value that is not null. */
  private static void write(ColumnReader reader, int row, ByteSequence bytes) {
    PhysicalType layout = reader.valueLayout();
    if (reader.column().type() instanceof DecimalType) {
      boolean isWide = layout == PhysicalType.I128;
      long low = isWide ? reader.getLow(row) : reader.getIntegral(row);
      long high = isWide ? reader.getHigh(row) : low >> (Long.SIZE - 1);
      bytes.put(high ^ Long.MIN_VALUE, Long.BYTES);
      bytes.put(low, Long.BYTES);
      return;
    }
    switch (layout) {
      case BOOL -> bytes.put(reader.getBoolean(row) ? 1 : 0, 1);
      case F32 -> bytes.put(orderOf(reader.getFloat(row)), Long.BYTES);
      case F64 -> bytes.put(orderOf(reader.getDouble(row)), Long.BYTES);
      case VIEW16 -> writeString(reader.getBytes(row), bytes);
      case OFFSETS -> writeList(reader, row, bytes);
      case NONE -> writeStruct(reader, row, bytes);
      default -> bytes.put(reader.getIntegral(row) ^ Long.MIN_VALUE, Long.BYTES);
    }
  }

  /** Returns bits that have the order of the numbers. */
  private static long orderOf(double number) {
    long bits = Double.doubleToLongBits(number == 0 ? 0.0 : number);
    return bits < 0 ? ~bits : bits | Long.MIN_VALUE;
  }

  private static void writeString(byte[] text, ByteSequence bytes) {
    for (byte b : text) {
      bytes.put(b, 1);
      if (b == 0) {
        bytes.put(1, 1);
      }
    }
    bytes.put(0, 2);
  }

  private static void writeList(ColumnReader reader, int row, ByteSequence bytes) {
    ColumnReader elements = reader.child(0);
    for (int i = reader.getStart(row); i < reader.getEnd(row); i++) {
      boolean isNull = elements.isNull(i);
      bytes.put(isNull ? NULL_ELEMENT : ELEMENT, 1);
      if (!isNull) {
        write(elements, i, bytes);
      }
    }
    bytes.put(LIST_END, 1);
  }

  private static void writeStruct(ColumnReader reader, int row, ByteSequence bytes) {
    for (int i = 0; i < reader.column().children().size(); i++) {
      ColumnReader member = reader.child(i);
      boolean isNull = member.isNull(row);
      bytes.put(isNull ? NULL_MEMBER : MEMBER, 1);
      if (!isNull) {
        write(member, row, bytes);
      }
    }
  }
}
