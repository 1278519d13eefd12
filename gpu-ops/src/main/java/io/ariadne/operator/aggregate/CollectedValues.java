package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.concat.HeapUnion;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The values that one aggregate has collected, each with the number of its group, in the order of
 * their rows. {@link #toLists} makes lists of them in two passes: it counts the values of each
 * group, then copies each value to its place. In host memory, on every back end. Used by one thread
 * at a time.
 *
 * <p>Booleans take a byte here, also in the lists. Strings are views into the heaps of their
 * batches. They are copied when a heap holds much besides them.
 */
final class CollectedValues implements AutoCloseable {
  private final BufferAllocator allocator;
  private final DataType type;
  private final PhysicalType layout;
  private final int width;
  private final ListBytes bytesForm;
  private final List<Chunk> chunks = new ArrayList<>();
  private HeapUnion heaps = new HeapUnion();
  private long count;
  private long bytes;

  /** Values of one batch, without nulls, and the group of each. */
  private record Chunk(MemoryBuffer groups, ColumnVector values) implements AutoCloseable {
    @Override
    public void close() {
      Closer closer = new Closer();
      closer.close(groups);
      closer.close(values);
      closer.rethrow();
    }
  }

  /**
   * Creates an empty collection.
   *
   * @param element the type of the values
   * @param allocator allocates host memory
   */
  CollectedValues(DataType element, BufferAllocator allocator) {
    this.allocator = allocator;
    this.type = element == PrimitiveType.BOOLEAN ? PrimitiveType.INT8 : element;
    this.layout = type.defaultPhysicalType();
    this.width = layout.widthInBytes();
    this.bytesForm = new ListBytes(layout);
  }

  /** Returns about how many bytes the values take. */
  long bytes() {
    return bytes;
  }

  /**
   * Adds the values of rows that are not null.
   *
   * @param groups the group of each row, in host memory; null when all rows belong to group 0
   * @param values in host memory, in the default layout of their type
   * @param kept BOOLEAN: rows to add; null for all
   */
  void addRows(MemoryBuffer groups, ColumnVector values, ColumnVector kept) {
    RowFilter filter = new RowFilter(values, kept);
    int rows = filter.count(values.rowCount());
    if (rows == 0) {
      return;
    }
    add(
        rows,
        numbers -> filter.copyGroups(groups, values.rowCount(), numbers.address()),
        () -> filter.copy(values, rows));
  }

  /** Tells which rows of a batch are added. */
  private final class RowFilter {
    private final long validity;
    private final long kept;
    private final long keptValidity;

    RowFilter(ColumnVector values, ColumnVector condition) {
      this.validity = values.validity() == null ? 0 : values.validity().address();
      this.kept = condition == null ? 0 : condition.data().address();
      this.keptValidity =
          condition == null || condition.validity() == null ? 0 : condition.validity().address();
    }

    private boolean takesAll() {
      return validity == 0 && kept == 0;
    }

    private boolean takes(int row) {
      return isSet(validity, row) && isSet(kept, row) && isSet(keptValidity, row);
    }

    private static boolean isSet(long bits, int row) {
      return bits == 0 || (Memory.getByte(bits + (row >>> 3)) >>> (row & 7) & 1) != 0;
    }

    int count(int rowCount) {
      int taken = takesAll() ? rowCount : 0;
      for (int row = 0; !takesAll() && row < rowCount; row++) {
        taken += takes(row) ? 1 : 0;
      }
      return taken;
    }

    void copyGroups(MemoryBuffer groups, int rowCount, long target) {
      if (groups != null && takesAll()) {
        Memory.copy(groups.address(), target, (long) rowCount * Integer.BYTES);
        return;
      }
      long to = target;
      for (int row = 0; row < rowCount; row++) {
        if (takes(row)) {
          Memory.putInt(to, groups == null ? 0 : groups.getInt((long) row * Integer.BYTES));
          to += Integer.BYTES;
        }
      }
    }

    ColumnVector copy(ColumnVector values, int taken) {
      MemoryBuffer data = allocator.allocate(layout.dataLengthInBytes(taken));
      long to = data.address();
      if (values.physicalType() == layout && takesAll()) {
        Memory.copy(values.data().address(), to, layout.dataLengthInBytes(taken));
      } else {
        for (int row = 0; row < values.rowCount(); row++) {
          if (takes(row)) {
            copyValue(values, row, to);
            to += width;
          }
        }
      }
      return column(data, taken, values.heaps());
    }

    private void copyValue(ColumnVector values, int row, long to) {
      if (values.physicalType() == PhysicalType.BOOL) {
        Memory.putByte(to, (byte) (isSet(values.data().address(), row) ? 1 : 0));
      } else {
        put(values.data().address() + (long) row * width, to);
      }
    }
  }

  private ColumnVector column(MemoryBuffer data, int rows, List<SharedBuffer> itsHeaps) {
    itsHeaps.forEach(SharedBuffer::retain);
    return new ColumnVector(type, layout, rows, data, null, 0, itsHeaps, List.of());
  }

  /**
   * Adds lists that are encoded as {@link ListBytes}.
   *
   * @param groups the group of each row, in host memory; null when all rows belong to group 0
   * @param lists BINARY, in host memory; a null row has no values
   */
  void addBytes(MemoryBuffer groups, ColumnVector lists) {
    ColumnReader reader = new ColumnReader(lists);
    int[] counts = new int[lists.rowCount()];
    for (int row = 0; row < counts.length; row++) {
      counts[row] = reader.isNull(row) ? 0 : ListBytes.count(reader.getBytesAddress(row));
    }
    int values = Arrays.stream(counts).reduce(0, Math::addExact);
    if (values > 0) {
      add(
          values,
          numbers -> expand(groups, counts, numbers.address()),
          () -> valuesOf(reader, counts, values));
    }
  }

  private static void expand(MemoryBuffer groups, int[] counts, long target) {
    long to = target;
    for (int row = 0; row < counts.length; row++) {
      int group = groups == null ? 0 : groups.getInt((long) row * Integer.BYTES);
      for (int i = 0; i < counts[row]; i++) {
        Memory.putInt(to, group);
        to += Integer.BYTES;
      }
    }
  }

  private ColumnVector valuesOf(ColumnReader lists, int[] counts, int values) {
    if (layout == PhysicalType.VIEW16) {
      try (ColumnBuilder builder = ColumnBuilder.create(type, allocator)) {
        for (int row = 0; row < counts.length; row++) {
          if (counts[row] > 0) {
            bytesForm.appendTexts(lists.getBytesAddress(row), counts[row], (ViewBuilder) builder);
          }
        }
        return builder.build();
      }
    }
    MemoryBuffer data = allocator.allocate((long) values * width);
    long to = data.address();
    for (int row = 0; row < counts.length; row++) {
      if (counts[row] > 0) {
        bytesForm.copyValues(lists.getBytesAddress(row), counts[row], to);
        to += (long) counts[row] * width;
      }
    }
    return column(data, values, List.of());
  }

  /**
   * Adds lists that {@link #toLists} has made.
   *
   * @param groups the group of each added row, in host memory
   * @param lists in host memory
   * @param first the first row
   * @param rows how many rows
   */
  void addLists(MemoryBuffer groups, ColumnVector lists, int first, int rows) {
    int[] counts = new int[rows];
    int start = lists.data().getInt((long) first * Integer.BYTES);
    int end = start;
    for (int row = 0; row < rows; row++) {
      int next = lists.data().getInt((first + row + 1L) * Integer.BYTES);
      counts[row] = next - end;
      end = next;
    }
    if (end > start) {
      RowRange range = new RowRange(start, end - start);
      add(
          end - start,
          numbers -> expand(groups, counts, numbers.address()),
          () -> compact(range.copyOf(lists.children().get(0), allocator)));
    }
  }

  /** Copies strings to heaps of their own, so that the run they came from may be spilled. */
  private ColumnVector compact(ColumnVector copy) {
    if (copy.heaps().isEmpty()) {
      return copy;
    }
    try (copy) {
      return new HeapCompaction(allocator).compact(copy);
    }
  }

  /** Writes group numbers. */
  @FunctionalInterface
  private interface Numbering {
    void write(MemoryBuffer numbers);
  }

  /** Makes a column. */
  @FunctionalInterface
  private interface Values {
    ColumnVector make();
  }

  private void add(int rows, Numbering numbering, Values made) {
    MemoryBuffer numbers = allocator.allocate((long) rows * Integer.BYTES);
    try {
      numbering.write(numbers);
      add(new Chunk(numbers, compactIfWorthwhile(made.make())));
    } catch (RuntimeException | Error e) {
      numbers.close();
      throw e;
    }
  }

  private ColumnVector compactIfWorthwhile(ColumnVector values) {
    if (layout != PhysicalType.VIEW16 || !HeapCompaction.pays(values)) {
      return values;
    }
    return compact(values);
  }

  private void add(Chunk chunk) {
    ColumnVector values = chunk.values();
    if (layout == PhysicalType.VIEW16) {
      heaps.add(values.heaps(), values.data().address(), values.rowCount());
    }
    chunks.add(chunk);
    count += values.rowCount();
    bytes += chunk.groups().capacityInBytes() + values.sizeInBytes();
  }

  /**
   * Makes lists of the values, which stay here.
   *
   * @param rowCount how many lists
   * @param rows the row of each group; null when the group number is the row
   * @return a column of lists, owned by the caller; its values are laid out as they are here
   * @throws EngineException OUT_OF_MEMORY for more than 2^31 values
   */
  ColumnVector toLists(int rowCount, int[] rows) {
    if (count > Integer.MAX_VALUE) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY, "more than 2^31 values in the lists of " + rowCount + " groups");
    }
    int[] next = new int[rowCount + 1];
    MemoryBuffer offsets = null;
    MemoryBuffer data = null;
    try {
      offsets = allocator.allocate(PhysicalType.OFFSETS.dataLengthInBytes(rowCount));
      data = allocator.allocate(layout.dataLengthInBytes((int) count));
      chunks.forEach(chunk -> count(chunk, rows, next));
      int sum = 0;
      for (int row = 0; row <= rowCount; row++) {
        int values = next[row];
        next[row] = sum;
        offsets.putInt((long) row * Integer.BYTES, sum);
        sum += values;
      }
      for (Chunk chunk : chunks) {
        place(chunk, rows, next, data.address());
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(offsets);
      closer.close(data);
      closer.suppressIn(e);
      throw e;
    }
    ColumnVector values =
        new ColumnVector(type, layout, (int) count, data, null, 0, heaps.retained(), List.of());
    return lists(rowCount, offsets, values);
  }

  /** Returns a column of lists that owns its parts. */
  static ColumnVector lists(int rowCount, MemoryBuffer offsets, ColumnVector values) {
    return new ColumnVector(
        new ListType(values.type(), false),
        PhysicalType.OFFSETS,
        rowCount,
        offsets,
        null,
        0,
        List.of(),
        List.of(values));
  }

  private static void count(Chunk chunk, int[] rows, int[] counts) {
    long groups = chunk.groups().address();
    long end = groups + (long) chunk.values().rowCount() * Integer.BYTES;
    for (long at = groups; at < end; at += Integer.BYTES) {
      int group = Memory.getInt(at);
      counts[rows == null ? group : rows[group]]++;
    }
  }

  private void place(Chunk chunk, int[] rows, int[] next, long target) {
    long groups = chunk.groups().address();
    long values = chunk.values().data().address();
    int valueCount = chunk.values().rowCount();
    for (int i = 0; i < valueCount; i++) {
      int group = Memory.getInt(groups + (long) i * Integer.BYTES);
      int place = next[rows == null ? group : rows[group]]++;
      put(values + (long) i * width, target + (long) place * width);
    }
  }

  private void put(long from, long to) {
    switch (width) {
      case Byte.BYTES -> Memory.putByte(to, Memory.getByte(from));
      case Short.BYTES -> Memory.putShort(to, Memory.getShort(from));
      case Integer.BYTES -> Memory.putInt(to, Memory.getInt(from));
      case Long.BYTES -> Memory.putLong(to, Memory.getLong(from));
      default -> {
        Memory.putLong(to, Memory.getLong(from));
        Memory.putLong(to + Long.BYTES, Memory.getLong(from + Long.BYTES));
      }
    }
  }

  /** Removes and frees all values. More values may be added afterwards. */
  @Override
  public void close() {
    Closer closer = new Closer();
    chunks.forEach(closer::close);
    chunks.clear();
    heaps = new HeapUnion();
    count = 0;
    bytes = 0;
    closer.rethrow();
  }
}
