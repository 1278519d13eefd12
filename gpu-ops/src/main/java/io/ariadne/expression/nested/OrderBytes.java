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
 * Bytes of arrays and structs that, compared as unsigned ones, are in the order Spark gives the
 * values: by the first part in which they differ, nulls within them first, of arrays of which one
 * begins like the other the shorter first. Null for null. No value's bytes begin another's.
 *
 * <p>Integers and decimals are written from the highest byte with the sign turned over; floats so
 * that NaN is the largest and zeros are equal; strings with {@code 00 01} for a zero byte and
 * {@code 00 00} behind. Before a member there is 0 for null, else 1; before an element 1 for null,
 * else 2; behind the last one 0. Source of the scheme: FoundationDB's tuple layer.
 *
 * @param type of the values, for which {@link #supports} holds
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

  /** Returns bits in the order of the numbers. */
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
