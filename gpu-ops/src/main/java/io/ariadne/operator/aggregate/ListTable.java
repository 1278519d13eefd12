package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Bitmaps;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The lists that the groups of a table collect, beside the table's records and in host memory on
 * every back end. It appends values as they come, and makes lists of them when groups leave the
 * table or are read. Used by one thread at a time.
 */
final class ListTable implements AutoCloseable {
  /** The values of a batch take at most so many bytes, unless the batch is one group. */
  private static final long MAX_BATCH_BYTES = 64L << 20;

  private final OperatorContext context;
  private final List<ListAggregate> collections;
  private final int firstInput;
  private final List<CollectedValues> values = new ArrayList<>();

  /** The lists of all groups after {@link #complete}, else null. */
  private RecordBatch complete;

  ListTable(AccumulatorLayout layout, OperatorContext context) {
    this.context = context;
    this.collections = layout.collections();
    this.firstInput = layout.picks().size();
    for (ListAggregate collection : collections) {
      values.add(new CollectedValues(collection.element(), context.allocator()));
    }
  }

  /**
   * Adds the values of a batch.
   *
   * @param inputs tells which columns are read
   * @param columns the computed columns of the batch
   * @param groupIds the group of each row in kernel memory, or null without keys
   */
  void update(PickInputs inputs, List<ColumnVector> columns, MemoryBuffer groupIds) {
    try (OnHost host = new OnHost()) {
      MemoryBuffer ids = host.of(groupIds);
      for (int i = 0; i < collections.size(); i++) {
        ColumnVector value = host.of(inputs.value(firstInput + i, columns));
        if (collections.get(i).merges()) {
          values.get(i).addBytes(ids, value);
        } else {
          values.get(i).addRows(ids, value, host.of(inputs.kept(firstInput + i, columns)));
        }
      }
    }
  }

  /** Copies of columns and buffers that the host cannot read; frees them when it is closed. */
  private final class OnHost implements AutoCloseable {
    private final List<AutoCloseable> copies = new ArrayList<>();

    MemoryBuffer of(MemoryBuffer buffer) {
      if (ColumnTransfer.isOnHost(buffer)) {
        return buffer;
      }
      MemoryBuffer copy = context.transfer().copyToHost(buffer);
      copies.add(copy);
      return copy;
    }

    ColumnVector of(ColumnVector column) {
      if (column == null || context.transfer().isOnHost(column)) {
        return column;
      }
      ColumnVector copy = context.transfer().copyToHost(column);
      copies.add(copy);
      return copy;
    }

    @Override
    public void close() {
      Closer closer = new Closer();
      copies.forEach(closer::close);
      closer.rethrow();
    }
  }

  /**
   * Appends the lists of other groups.
   *
   * @param groupIds the group of each list, in kernel memory; null when it is group 0
   * @param lists made by {@link #take}; stay the caller's
   * @param first the first of the other groups
   * @param count how many
   */
  void append(MemoryBuffer groupIds, RecordBatch lists, int first, int count) {
    try (OnHost host = new OnHost()) {
      MemoryBuffer ids = host.of(groupIds);
      for (int i = 0; i < values.size(); i++) {
        values.get(i).addLists(ids, lists.column(i), first, count);
      }
    }
  }

  /** Returns about how many bytes all values take. */
  long bytes() {
    return values.stream().mapToLong(CollectedValues::bytes).sum();
  }

  /**
   * Makes lists of all values and removes these. When this is refused memory, nothing has changed.
   *
   * @param groupCount how many groups there are
   * @param rows the row of each group; null when the group number is the row
   * @return a batch with a column per collected list, owned by the caller
   */
  RecordBatch take(int groupCount, int[] rows) {
    List<ColumnVector> columns = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    try {
      for (CollectedValues collected : values) {
        ColumnVector lists = collected.toLists(groupCount, rows);
        columns.add(lists);
        fields.add(new Field("lists", lists.type(), false));
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
    values.forEach(CollectedValues::close);
    return new RecordBatch(new Schema(fields), groupCount, columns, 0);
  }

  /** Prepares for reading; no more values may be added. */
  void complete(int groupCount) {
    if (complete == null) {
      complete = take(groupCount, null);
    }
  }

  /**
   * Returns how many groups fit a batch by the bytes of their values.
   *
   * @param first the first group
   * @param count groups wanted, at least one
   * @return at least one
   */
  int countThatFits(int first, int count) {
    int fitting = count;
    while (fitting > 1 && bytes(first, fitting) > MAX_BATCH_BYTES) {
      fitting /= 2;
    }
    return fitting;
  }

  private long bytes(int first, int count) {
    long bytes = 0;
    for (int i = 0; i < collections.size(); i++) {
      ColumnVector lists = complete.column(i);
      long start = lists.data().getInt((long) first * Integer.BYTES);
      long end = lists.data().getInt((first + (long) count) * Integer.BYTES);
      ColumnVector child = lists.children().get(0);
      bytes += (end - start) * Math.max(1, child.sizeInBytes() / Math.max(1, child.rowCount()));
    }
    return bytes;
  }

  /**
   * Reads the lists of groups, after {@link #complete}.
   *
   * @param collection the number of the list in the layout
   * @param groups the groups, in ascending order
   * @param asBytes whether to return a BINARY column of {@link ListBytes} instead of lists
   * @return a column owned by the caller
   */
  ColumnVector read(int collection, GroupSelection groups, boolean asBytes) {
    BufferAllocator allocator = context.allocator();
    ColumnVector all = complete.column(collection);
    MemoryBuffer offsets =
        allocator.allocate(PhysicalType.OFFSETS.dataLengthInBytes(groups.rowCount()));
    ColumnVector chosen;
    try {
      int count = writeOffsets(all, groups, offsets);
      chosen = chosen(all, groups, count);
    } catch (RuntimeException | Error e) {
      offsets.close();
      throw e;
    }
    ColumnVector lists = CollectedValues.lists(groups.rowCount(), offsets, chosen);
    if (!asBytes) {
      return collections.get(collection).element() == PrimitiveType.BOOLEAN ? packed(lists) : lists;
    }
    try (lists) {
      return new ListBytes(chosen.physicalType()).of(lists, allocator);
    }
  }

  private static int writeOffsets(ColumnVector all, GroupSelection groups, MemoryBuffer offsets) {
    int end = 0;
    offsets.putInt(0, 0);
    for (int row = 0; row < groups.rowCount(); row++) {
      end += valueCount(all, groups.group(row));
      offsets.putInt((row + 1L) * Integer.BYTES, end);
    }
    return end;
  }

  private static int valueCount(ColumnVector lists, int group) {
    return firstValue(lists, group + 1) - firstValue(lists, group);
  }

  private static int firstValue(ColumnVector lists, int group) {
    return lists.data().getInt((long) group * Integer.BYTES);
  }

  /** Copies the values of groups. */
  private ColumnVector chosen(ColumnVector all, GroupSelection groups, int count) {
    ColumnVector child = all.children().get(0);
    PhysicalType layout = child.physicalType();
    long width = layout.widthInBytes();
    MemoryBuffer data = context.allocator().allocate(layout.dataLengthInBytes(count));
    long to = data.address();
    for (int row = 0; row < groups.rowCount(); row++) {
      long first = firstValue(all, groups.group(row));
      long length = valueCount(all, groups.group(row)) * width;
      while (row + 1 < groups.rowCount() && groups.group(row + 1) == groups.group(row) + 1) {
        row++;
        length += valueCount(all, groups.group(row)) * width;
      }
      Memory.copy(child.data().address() + first * width, to, length);
      to += length;
    }
    child.heaps().forEach(SharedBuffer::retain);
    ColumnVector copy =
        new ColumnVector(child.type(), layout, count, data, null, 0, child.heaps(), List.of());
    return new HeapCompaction(context.allocator()).compactIfSparse(copy);
  }

  /** Replaces lists of booleans that take a byte each by lists of bits; closes the argument. */
  private ColumnVector packed(ColumnVector lists) {
    try (lists) {
      ColumnVector child = lists.children().get(0);
      int count = child.rowCount();
      long length = lists.data().lengthInBytes();
      MemoryBuffer bits =
          context.allocator().allocateZeroed(PhysicalType.BOOL.dataLengthInBytes(count));
      MemoryBuffer offsets;
      try {
        offsets = context.allocator().allocate(length);
      } catch (RuntimeException | Error e) {
        bits.close();
        throw e;
      }
      for (int i = 0; i < count; i++) {
        if (child.data().getByte(i) != 0) {
          Bitmaps.set(bits.address(), i);
        }
      }
      Memory.copy(lists.data().address(), offsets.address(), length);
      ColumnVector values =
          new ColumnVector(
              PrimitiveType.BOOLEAN, PhysicalType.BOOL, count, bits, null, 0, List.of(), List.of());
      return CollectedValues.lists(lists.rowCount(), offsets, values);
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    values.forEach(closer::close);
    closer.close(complete);
    complete = null;
    closer.rethrow();
  }
}
