package io.ariadne.expression.nested;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import java.util.EnumSet;
import java.util.Set;

/**
 * Returns the value of a map's first entry with a key; null where the map or the key is null, or
 * the map does not have the key. Arguments: the map, and a key of the type of the map's keys.
 *
 * @param resultType the values' type
 */
public record MapValue(DataType resultType) implements NestedFunction {
  private static final long serialVersionUID = 1L;

  /** Types of keys that are equal when their bits are. */
  private static final Set<PrimitiveType> KEYS =
      EnumSet.of(
          PrimitiveType.BOOLEAN,
          PrimitiveType.INT8,
          PrimitiveType.INT16,
          PrimitiveType.INT32,
          PrimitiveType.INT64,
          PrimitiveType.DATE32,
          PrimitiveType.TIMESTAMP_MICROS,
          PrimitiveType.TIMESTAMP_NTZ_MICROS,
          PrimitiveType.STRING);

  /** Returns whether keys of a type are found. */
  public static boolean findsKeys(DataType type) {
    return type instanceof PrimitiveType primitive && KEYS.contains(primitive);
  }

  @Override
  public String description() {
    return "value of a key";
  }

  @Override
  public boolean dependsOnItsRowOnly() {
    return true;
  }

  @Override
  public ColumnVector apply(RecordBatch arguments, BufferAllocator allocator) {
    ColumnVector maps = arguments.column(0);
    ColumnVector entries = maps.children().get(0);
    ColumnReader reader = new ColumnReader(maps);
    ColumnReader wanted = new ColumnReader(arguments.column(1));
    int rowCount = maps.rowCount();
    try (MemoryBuffer numbers = allocator.allocate(PhysicalType.I32.dataLengthInBytes(rowCount))) {
      for (int row = 0; row < rowCount; row++) {
        boolean isNull = reader.isNull(row) || wanted.isNull(row);
        int number = isNull ? HostRows.NULL : find(reader, row, wanted);
        Memory.putInt(numbers.address() + (long) row * Integer.BYTES, number);
      }
      return new HostRows(allocator).gather(entries.children().get(1), numbers, rowCount);
    }
  }

  private static int find(ColumnReader maps, int row, ColumnReader wanted) {
    ColumnReader keys = maps.child(0).child(0);
    int end = maps.getEnd(row);
    for (int entry = maps.getStart(row); entry < end; entry++) {
      if (isEqual(keys, entry, wanted, row)) {
        return entry;
      }
    }
    return HostRows.NULL;
  }

  private static boolean isEqual(ColumnReader a, int rowOfA, ColumnReader b, int rowOfB) {
    return switch (a.valueLayout()) {
      case BOOL -> a.getBoolean(rowOfA) == b.getBoolean(rowOfB);
      case VIEW16 -> haveEqualBytes(a, rowOfA, b, rowOfB);
      default -> a.getIntegral(rowOfA) == b.getIntegral(rowOfB);
    };
  }

  private static boolean haveEqualBytes(ColumnReader a, int rowOfA, ColumnReader b, int rowOfB) {
    int length = a.getByteLength(rowOfA);
    if (length != b.getByteLength(rowOfB)) {
      return false;
    }
    long x = a.getBytesAddress(rowOfA);
    long y = b.getBytesAddress(rowOfB);
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      if (Memory.getLong(x + at) != Memory.getLong(y + at)) {
        return false;
      }
    }
    for (; at < length; at++) {
      if (Memory.getByte(x + at) != Memory.getByte(y + at)) {
        return false;
      }
    }
    return true;
  }
}
