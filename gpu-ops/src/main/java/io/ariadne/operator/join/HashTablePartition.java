package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.kernel.join.JoinChains;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.key.KeyColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * A part of a table on the host: the rows whose hashes begin with the same bits, in batches, with
 * groups and lists of their own. Made by one thread.
 */
final class HashTablePartition implements AutoCloseable {
  private final int rowCount;
  private final OperatorContext context;
  private final List<RecordBatch> batches = new ArrayList<>();
  private GroupTable groups; // null when they were taken
  private KeyColumns keys; // until the end
  private MemoryBuffer groupIds; // until the end
  private JoinChains chains; // null when rows are numbered as their groups
  private int rowsSoFar;

  /**
   * Prepares.
   *
   * @param rowCount how many rows there will be
   */
  HashTablePartition(HashJoin join, int rowCount, OperatorContext context) {
    this.rowCount = rowCount;
    this.context = context;
    KeyColumns.Keys buildKeys = join.buildSide().keys();
    this.groups =
        new GroupTable(
            context.backend(), context.allocator(), KeyHashes.layouts(buildKeys), rowCount);
    try {
      this.keys = new KeyColumns(buildKeys, context);
      this.groupIds = context.allocator().allocate((long) rowCount * Integer.BYTES);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(this);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Adds rows; the batch is owned by this from now on, also when this throws. */
  void add(RecordBatch batch) {
    batches.add(batch);
    long bytes = (long) batch.rowCount() * Integer.BYTES;
    try (MemoryBuffer numbers = context.allocator().allocate(bytes)) {
      keys.use(batch, columns -> groups.assign(columns, batch.rowCount(), numbers));
      long target = groupIds.address() + (long) rowsSoFar * Integer.BYTES;
      Memory.copy(numbers.address(), target, bytes);
    }
    rowsSoFar += batch.rowCount();
    if (context.cancelled().getAsBoolean()) {
      throw new CancellationException("the operator was cancelled");
    }
  }

  /** Lists the rows of each group, when all are there. */
  void end() {
    if (groups.groupCount() < rowCount) {
      try (JoinRowsKernel kernel = new JoinRowsKernel(context.backend(), context.allocator())) {
        chains = kernel.chains(groupIds, rowCount, groups.groupCount());
      }
    }
    groupIds.close();
    groupIds = null;
    keys.close();
    keys = null;
  }

  int rowCount() {
    return rowCount;
  }

  /** Returns the rows; owned by this. */
  List<RecordBatch> batches() {
    return batches;
  }

  GroupTable groups() {
    return groups;
  }

  /** Returns the rows of each group; null when rows are numbered as their groups. */
  JoinChains chains() {
    return chains;
  }

  /** Hands the groups to the caller and frees all else. */
  GroupTable takeGroups() {
    GroupTable taken = groups;
    groups = null;
    close();
    return taken;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(keys);
    closer.close(groupIds);
    closer.close(chains);
    batches.forEach(closer::close);
    closer.close(groups);
    closer.rethrow();
  }
}
