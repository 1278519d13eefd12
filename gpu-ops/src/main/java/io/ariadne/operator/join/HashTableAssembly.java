package io.ariadne.operator.join;

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
 * Combines hash table partitions into one table, on the host. Rows are numbered part after part,
 * and the groups of a part begin with the number of its first row. Where some groups have several
 * rows, the list of starts has one more entry for each part, and groups have the numbers of their
 * entries.
 */
final class HashTableAssembly {
  private final HashJoin join;
  private final HashTablePartition[] parts;
  private final OperatorContext context;
  private final boolean hasChains;
  private final int rowCount;

  /**
   * Prepares.
   *
   * @param parts by the first bits of their hashes, null for those without rows
   * @throws EngineException OUT_OF_MEMORY when one table cannot have so many rows
   */
  HashTableAssembly(HashJoin join, HashTablePartition[] parts, OperatorContext context) {
    this.join = join;
    this.parts = parts;
    this.context = context;
    this.hasChains = present().stream().anyMatch(part -> part.chains() != null);
    this.rowCount =
        BuildColumns.checkedRowCount(
            present().stream().mapToLong(HashTablePartition::rowCount).sum());
  }

  private List<HashTablePartition> present() {
    return Arrays.stream(parts).filter(part -> part != null).toList();
  }

  /**
   * Makes the table.
   *
   * @param columns all rows in the order of the parts; they are taken out, as are the parts, unless
   *     this throws
   */
  JoinTable assemble(BuildColumns columns) {
    int[] firstGroups = firstGroups();
    JoinChains chains = null;
    GroupTable empty = null;
    try {
      chains = hasChains ? chains(firstGroups) : null;
      empty =
          new GroupTable(
              context.backend(), context.allocator(), KeyHashes.layouts(join.buildSide().keys()));
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(chains);
      closer.suppressIn(e);
      throw e;
    }
    KeyGroups groups = KeyGroups.ofParts(takeGroups(empty), firstGroups);
    return JoinTable.ofColumns(join, rowCount, groups, chains, List.of(columns.takeColumns()));
  }

  private int[] firstGroups() {
    int[] firstGroups = new int[parts.length];
    int row = 0;
    for (int i = 0; i < parts.length; i++) {
      firstGroups[i] = hasChains ? row + i : row;
      row += parts[i] == null ? 0 : parts[i].rowCount();
    }
    return firstGroups;
  }

  /** Returns a table for each part, the empty one for those without rows. */
  private List<GroupTable> takeGroups(GroupTable empty) {
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
    MemoryBuffer rows = null;
    try {
      rows = context.allocator().allocate((long) rowCount * Integer.BYTES);
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
      Closer closer = new Closer();
      closer.close(starts);
      closer.close(rows);
      closer.suppressIn(e);
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
