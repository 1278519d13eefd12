package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.builder.ViewBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the keys of a finished group table as columns in host memory. Takes the table's string
 * heap, so no rows can be added to the table any more.
 */
public final class GroupKeys implements AutoCloseable {
  private static final int HEADER_WORDS = 2;
  private static final int LONG_STRING_SHIFT = 32;

  /** Columns share a heap of at most so many bytes: views have offsets of 31 bits. */
  private static final long MAX_SHARED_BYTES = 1L << 30;

  /** The long strings of a batch have at most so many bytes, unless the batch is one group. */
  private static final long MAX_BATCH_BYTES = 256L << 20;

  private final List<DataType> types;
  private final OperatorContext context;
  private final GroupTable table;
  private final SharedBuffer heap;
  private final long maxSharedBytes;
  private final long maxBatchBytes;

  /** A copy of the table's keys in host memory, or null when the table's keys are there. */
  private final MemoryBuffer copiedKeys;

  GroupKeys(HashAggregatePlan plan, OperatorContext context, GroupTable table) {
    this(plan.keyTypes(), context, table);
  }

  /**
   * Takes the keys of a table.
   *
   * @param types the types of the keys
   * @param context where copies are allocated
   * @param table stays the caller's, who must not add groups any more; its string heap passes to
   *     this object
   */
  public GroupKeys(List<DataType> types, OperatorContext context, GroupTable table) {
    this(types, context, table, MAX_SHARED_BYTES, MAX_BATCH_BYTES);
  }

  /** Takes the keys of a table, with other limits on the bytes of heaps. */
  GroupKeys(
      List<DataType> types,
      OperatorContext context,
      GroupTable table,
      long maxSharedBytes,
      long maxBatchBytes) {
    this.maxSharedBytes = maxSharedBytes;
    this.maxBatchBytes = maxBatchBytes;
    this.types = types;
    this.context = context;
    this.table = table;
    if (context.backend().tier() == MemoryTier.HOST) {
      this.copiedKeys = null;
      this.heap = new SharedBuffer(table.takeKeyHeap());
      return;
    }
    ColumnTransfer transfer = context.transfer();
    this.copiedKeys = transfer.copyToHost(table.groupKeys());
    try {
      this.heap = new SharedBuffer(transfer.copyToHost(table.keyHeap()));
    } catch (RuntimeException | Error e) {
      copiedKeys.close();
      throw e;
    }
    table.takeKeyHeap().close();
  }

  /**
   * Returns how many groups fit a batch: its strings must not exceed what columns can address.
   *
   * @param first the first group
   * @param count groups wanted, at least one
   * @return at least one
   */
  public int countThatFits(int first, int count) {
    if (heap.capacityInBytes() <= maxBatchBytes) {
      return count;
    }
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      bytes += longStringBytes(first + i);
      if (bytes > maxBatchBytes) {
        return Math.max(1, i);
      }
    }
    return count;
  }

  private long longStringBytes(int group) {
    long address = address(group);
    long flags = Memory.getLong(address + Long.BYTES);
    long bytes = 0;
    int word = HEADER_WORDS;
    for (int key = 0; key < types.size(); key++) {
      if (isLong(flags, key)) {
        bytes += Memory.getInt(address + (long) word * Long.BYTES);
      }
      word += GroupTable.wordsOf(types.get(key).defaultPhysicalType());
    }
    return bytes;
  }

  private static boolean isNull(long flags, int key) {
    return (flags >>> key & 1) != 0;
  }

  private static boolean isLong(long flags, int key) {
    return (flags >>> (LONG_STRING_SHIFT + key) & 1) != 0;
  }

  private long address(int group) {
    long keys = (copiedKeys == null ? table.groupKeys() : copiedKeys).address();
    return keys + (long) group * table.keyWords() * Long.BYTES;
  }

  /**
   * Reads the keys of groups.
   *
   * @param groups which groups
   * @return one column per key, owned by the caller
   */
  List<ColumnVector> read(GroupSelection groups) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      int word = HEADER_WORDS;
      for (int key = 0; key < types.size(); key++) {
        columns.add(column(key, word, groups));
        word += GroupTable.wordsOf(types.get(key).defaultPhysicalType());
      }
    } catch (RuntimeException | Error e) {
      columns.forEach(ColumnVector::close);
      throw e;
    }
    return columns;
  }

  /**
   * Reads the keys of groups for an output batch. When the batch has a small part of the table's
   * strings, it gets a heap of its own: a consumer that retains some groups then does not retain
   * the strings of all.
   *
   * @param groups which groups
   * @return one column per key, owned by the caller
   */
  public List<ColumnVector> readForOutput(GroupSelection groups) {
    HeapCompaction compaction = new HeapCompaction(context.allocator());
    List<ColumnVector> columns = new ArrayList<>(read(groups));
    try {
      for (int key = 0; key < columns.size(); key++) {
        ColumnVector column = columns.get(key);
        if (HeapCompaction.pays(column)) {
          columns.set(key, compaction.compact(column));
          column.close();
        }
      }
      return columns;
    } catch (RuntimeException | Error e) {
      columns.forEach(ColumnVector::close);
      throw e;
    }
  }

  private ColumnVector column(int key, int word, GroupSelection groups) {
    DataType type = types.get(key);
    PhysicalType kind = type.defaultPhysicalType();
    if (kind == PhysicalType.VIEW16 && heap.capacityInBytes() > maxSharedBytes) {
      return copiedStrings(key, word, groups);
    }
    boolean hasLongStrings = false;
    try (ColumnWriter writer = new ColumnWriter(type, groups.rowCount(), context)) {
      for (int row = 0; row < groups.rowCount(); row++) {
        long address = address(groups.group(row));
        long flags = Memory.getLong(address + Long.BYTES);
        long low = Memory.getLong(address + (long) word * Long.BYTES);
        if (isNull(flags, key)) {
          writer.setNull(row);
        } else if (GroupTable.wordsOf(kind) == 1) {
          writer.setLong(row, low);
        } else {
          long high = Memory.getLong(address + (word + 1L) * Long.BYTES);
          boolean isLong = isLong(flags, key);
          hasLongStrings |= isLong;
          // A view of heap 0: the upper half of the second word is the offset.
          writer.setWide(row, low, isLong ? high << Integer.SIZE : high);
        }
      }
      return writer.build(hasLongStrings ? List.of(heap) : List.of());
    }
  }

  /** Copies strings to new heaps, each as large as views can address. */
  private ColumnVector copiedStrings(int key, int word, GroupSelection groups) {
    try (ColumnBuilder builder = ColumnBuilder.create(types.get(key), context.allocator())) {
      ViewBuilder strings = (ViewBuilder) builder;
      for (int row = 0; row < groups.rowCount(); row++) {
        long address = address(groups.group(row));
        long view = address + (long) word * Long.BYTES;
        long flags = Memory.getLong(address + Long.BYTES);
        if (isNull(flags, key)) {
          strings.appendNull();
        } else if (isLong(flags, key)) {
          long place = Memory.getLong(view + Long.BYTES);
          strings.append(heap.address() + place, Memory.getInt(view));
        } else {
          strings.append(view + Integer.BYTES, Memory.getInt(view));
        }
      }
      return strings.build();
    }
  }

  @Override
  public void close() {
    heap.release();
    if (copiedKeys != null) {
      copiedKeys.close();
    }
  }
}
