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
 * The groups of the keys of a table's rows: by their values where these are integers that lie close
 * together, else by their hashes. Read by all threads of work at once.
 */
final class KeyGroups implements AutoCloseable {
  /** Groups for which a table has room from the start, if there are as many rows. */
  private static final int EXPECTED_GROUPS = 1 << 20;

  private final int rowCount;
  private DenseGroups dense; // one of the three is there
  private GroupTable hashed;
  private List<GroupTable> parts = List.of();
  private int[] firstGroups = {}; // of the parts

  private KeyGroups(int rowCount) {
    this.rowCount = rowCount;
  }

  /**
   * Gives rows their groups.
   *
   * @param keys what the keys are
   * @param rows stay the caller's
   * @param groupIds room for a 32-bit number per row; written
   * @return owned by the caller
   * @throws CancellationException when the work is no longer wanted
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
   * Takes groups that were made side by side, on the host.
   *
   * @param parts by the first bits of their hashes, one for all that have no rows; owned by this
   * @param firstGroups what the numbers of their groups begin with
   */
  static KeyGroups ofParts(List<GroupTable> parts, int[] firstGroups) {
    KeyGroups groups = new KeyGroups(0);
    groups.parts = parts;
    groups.firstGroups = firstGroups;
    return groups;
  }

  /** Returns whether every row is a group of its own, of its own number; not for parts. */
  boolean areRows() {
    return rowCount == (dense == null ? hashed.groupCount() : dense.groupCount());
  }

  /**
   * Returns a number that all groups are below, and that is not above that of the rows; not for
   * parts.
   */
  int groupCount() {
    return dense == null ? hashed.groupCount() : rowCount;
  }

  /** Returns what looks rows up; owned by the caller, closed before this is. */
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
