package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.HeapCompaction;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.hash.GroupTable;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys of a finished group table as columns of the host. Takes the table's string heap, so that
 * the table takes no more rows.
 */
final class GroupKeys implements AutoCloseable {
  private static final int HEADER_WORDS = 2;
  private static final int LONG_STRING_SHIFT = 32;

  private final List<DataType> types;
  private final OperatorContext context;
  private final GroupTable table;
  private final SharedBuffer heap;

  /** A copy of the table's keys, or null when the host can read those. */
  private final MemoryBuffer copiedKeys;

  GroupKeys(HashAggregatePlan plan, OperatorContext context, GroupTable table) {
    this(plan.keyTypes(), context, table);
  }

  GroupKeys(List<DataType> types, OperatorContext context, GroupTable table) {
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
    try (MemoryBuffer keyHeap = table.takeKeyHeap()) {
      this.heap = new SharedBuffer(transfer.copyToHost(keyHeap));
    } catch (RuntimeException | Error e) {
      copiedKeys.close();
      throw e;
    }
  }

  /**
   * Returns the keys of groups.
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
   * Returns the keys of groups for the output: strings that are a small part of the table's get
   * heaps of their own, so that whoever keeps some groups does not keep the strings of all.
   *
   * @param groups which groups
   * @return one column per key, owned by the caller
   */
  List<ColumnVector> readForOutput(GroupSelection groups) {
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
    boolean hasLongStrings = false;
    long keys = (copiedKeys == null ? table.groupKeys() : copiedKeys).address();
    try (ColumnWriter writer = new ColumnWriter(type, groups.rowCount(), context)) {
      for (int row = 0; row < groups.rowCount(); row++) {
        long address = keys + (long) groups.group(row) * table.keyWords() * Long.BYTES;
        long flags = Memory.getLong(address + Long.BYTES);
        long low = Memory.getLong(address + (long) word * Long.BYTES);
        if ((flags >>> key & 1) != 0) {
          writer.setNull(row);
        } else if (GroupTable.wordsOf(kind) == 1) {
          writer.setLong(row, low);
        } else {
          long high = Memory.getLong(address + (word + 1L) * Long.BYTES);
          boolean isLong = (flags >>> (LONG_STRING_SHIFT + key) & 1) != 0;
          hasLongStrings |= isLong;
          // a view of heap 0: the offset is the upper half of the second word
          writer.setWide(row, low, isLong ? high << Integer.SIZE : high);
        }
      }
      return writer.build(hasLongStrings ? List.of(heap) : List.of());
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
