package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.hash.DenseGroups;
import io.ariadne.kernel.hash.GroupLookup;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.kernel.hash.KeyLookup;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.key.KeyColumns;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Numbers the distinct keys (groups) of a table's rows: by value when the key is one integer in a
 * dense range, else by hash. Any number of threads may read it at once.
 */
final class KeyGroups implements AutoCloseable {
  /** The most groups that a new table is sized for. */
  private static final int EXPECTED_GROUPS = 1 << 20;

  private final int rowCount;
  private DenseGroups dense; // exactly one of dense, hashed and parts is set
  private GroupTable hashed;
  private List<GroupTable> parts = List.of();
  private int[] firstGroups = {}; // of the parts

  private KeyGroups(int rowCount) {
    this.rowCount = rowCount;
  }

  /**
   * Assigns rows to groups.
   *
   * @param keys expressions that compute the keys
   * @param rows stay the caller's
   * @param groupIds takes a 32-bit group number per row
   * @return owned by the caller
   * @throws CancellationException when the operator was cancelled
   */
  static KeyGroups of(
      KeyColumns.Keys keys, RecordBatch rows, MemoryBuffer groupIds, OperatorContext context) {
    KeyGroups groups = new KeyGroups(rows.rowCount());
    List<PhysicalType> layouts = KeyHashes.layouts(keys);
    try {
      if (rows.rowCount() == 0) {
        groups.hashed = new GroupTable(context.backend(), context.kernelAllocator(), layouts);
        return groups;
      }
      try (KeyColumns columns = new KeyColumns(keys, context)) {
        columns.use(rows, values -> groups.assign(layouts, values, groupIds, context));
      }
      if (context.cancelled().getAsBoolean()) {
        throw new CancellationException("the operator was cancelled");
      }
      return groups;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(groups);
      closer.suppressIn(e);
      throw e;
    }
  }

  private void assign(
      List<PhysicalType> layouts,
      List<ColumnVector> keys,
      MemoryBuffer groupIds,
      OperatorContext context) {
    if (DenseGroups.suit(layouts)) {
      dense = DenseGroups.of(context.backend(), context.kernelAllocator(), keys.get(0), groupIds);
    }
    if (dense == null) {
      int expected = Math.min(rowCount, EXPECTED_GROUPS);
      hashed = new GroupTable(context.backend(), context.kernelAllocator(), layouts, expected);
      hashed.assign(keys, rowCount, groupIds);
    }
  }

  /**
   * Combines the groups of hash table partitions, on the host.
   *
   * @param parts by the first bits of their hashes; all partitions without rows share one; owned by
   *     this
   * @param firstGroups the first group number of each part
   */
  static KeyGroups ofParts(List<GroupTable> parts, int[] firstGroups) {
    KeyGroups groups = new KeyGroups(0);
    groups.parts = parts;
    groups.firstGroups = firstGroups;
    return groups;
  }

  /** Returns whether each row is a group of its own with the row's number; not for parts. */
  boolean areRows() {
    return rowCount == (dense == null ? hashed.groupCount() : dense.groupCount());
  }

  /** Returns an exclusive bound of the group numbers, at most the number of rows; not for parts. */
  int groupCount() {
    return dense == null ? hashed.groupCount() : rowCount;
  }

  /** Creates a lookup of probe rows; owned by the caller, closed before this. */
  KeyLookup newLookup(OperatorContext context) {
    if (!parts.isEmpty()) {
      return new GroupLookup(context.backend(), context.allocator(), parts, firstGroups);
    }
    return dense == null
        ? new GroupLookup(context.backend(), context.kernelAllocator(), hashed)
        : dense.newLookup(context.backend());
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(dense);
    closer.close(hashed);
    new HashSet<>(parts).forEach(closer::close);
    closer.rethrow();
  }
}
