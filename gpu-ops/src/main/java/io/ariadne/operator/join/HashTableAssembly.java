package io.ariadne.operator.join;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.kernel.join.JoinChains;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes one table of the parts of a table, on the host. Rows are numbered part after part. So are
 * groups, from the number of the part's first row on; where some have several rows, the list of
 * starts has one entry more for each part, and groups are numbered by its entries.
 */
final class HashTableAssembly {
  private final HashJoin join;
  private final HashTablePartition[] parts;
  private final OperatorContext context;
  private final boolean hasChains;
  private final int rowCount;

  HashTableAssembly(HashJoin join, HashTablePartition[] parts, OperatorContext context) {
    this.join = join;
    this.parts = parts;
    this.context = context;
    this.hasChains = present().stream().anyMatch(part -> part.chains() != null);
    this.rowCount =
        Math.toIntExact(present().stream().mapToLong(HashTablePartition::rowCount).sum());
  }

  private List<HashTablePartition> present() {
    return Arrays.stream(parts).filter(part -> part != null).toList();
  }

  /** Makes the table; takes parts and columns out when it succeeds. */
  JoinTable assemble(ColumnVector[] columns) {
    int[] firstGroups = new int[parts.length];
    int row = 0;
    for (int i = 0; i < parts.length; i++) {
      firstGroups[i] = hasChains ? row + i : row;
      row += parts[i] == null ? 0 : parts[i].rowCount();
    }
    JoinChains chains = hasChains ? chains(firstGroups) : null;
    List<GroupTable> groups = null;
    try {
      groups = takeGroups();
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(chains);
      closer.suppressIn(e);
      throw e;
    }
    List<ColumnVector> taken = List.of(columns);
    Arrays.fill(columns, null);
    return JoinTable.ofColumns(
        join, rowCount, KeyGroups.ofParts(groups, firstGroups), chains, taken);
  }

  /** Returns a table for each part, an empty one for those without rows. */
  private List<GroupTable> takeGroups() {
    GroupTable empty =
        new GroupTable(
            context.backend(), context.allocator(), KeyHashes.layouts(join.buildSide().keys()));
    List<GroupTable> groups = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      groups.add(parts[i] == null ? empty : parts[i].takeGroups());
      parts[i] = null;
    }
    if (!groups.contains(empty)) {
      empty.close();
    }
    return groups;
  }

  private JoinChains chains(int[] firstGroups) {
    long entries = (long) rowCount + parts.length + 1;
    MemoryBuffer starts = context.allocator().allocate(entries * Integer.BYTES);
    try {
      MemoryBuffer rows = context.allocator().allocate((long) rowCount * Integer.BYTES);
      JoinChains chains = new JoinChains(starts, rows);
      int firstRow = 0;
      for (int i = 0; i < parts.length; i++) {
        if (parts[i] != null) {
          put(parts[i], firstRow, firstGroups[i], chains);
          firstRow += parts[i].rowCount();
        }
      }
      return chains;
    } catch (RuntimeException | Error e) {
      starts.close();
      throw e;
    }
  }

  private static void put(
      HashTablePartition part, int firstRow, int firstGroup, JoinChains chains) {
    long starts = chains.starts().address() + (long) firstGroup * Integer.BYTES;
    long rows = chains.rows().address() + (long) firstRow * Integer.BYTES;
    JoinChains own = part.chains();
    for (int group = 0; group <= part.groups().groupCount(); group++) {
      long offset = (long) group * Integer.BYTES;
      int start = own == null ? group : own.starts().getInt(offset);
      Memory.putInt(starts + offset, firstRow + start);
    }
    for (int i = 0; i < part.rowCount(); i++) {
      long offset = (long) i * Integer.BYTES;
      int row = own == null ? i : own.rows().getInt(offset);
      Memory.putInt(rows + offset, firstRow + row);
    }
  }
}
