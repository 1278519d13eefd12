package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.kernel.join.JoinChains;
import io.ariadne.kernel.join.JoinRowsKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.key.KeyColumns;
import io.ariadne.spill.Revocable;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * A part of a hash table on the host: the rows whose hashes begin with the same bits, in batches,
 * with groups and row lists of their own. One thread fills it.
 *
 * <p>Its memory is revocable until it is {@link #retain retained}. When memory is refused or
 * revoked, the rows return to their spilled partition and the table does without them.
 */
final class HashTablePartition implements AutoCloseable {
  private final HashJoin join;
  private final SpilledPartition source;
  private final int rowCount;
  private final OperatorContext context;
  private final Revocable memory;
  private final List<RecordBatch> batches = new ArrayList<>();
  private GroupTable groups; // null before the first batch, when spilled and when taken
  private KeyColumns keys; // null after the last batch
  private MemoryBuffer groupIds; // null after the last batch
  private JoinChains chains; // null when rows are numbered as their groups
  private int addedRows;
  private long batchBytes;
  private boolean isSpilled;

  /**
   * Prepares; takes no memory yet.
   *
   * @param source the rows, which are taken out; stays its owner's, open as long as this
   */
  HashTablePartition(HashJoin join, SpilledPartition source, OperatorContext context) {
    this.join = join;
    this.source = source;
    this.rowCount = BuildColumns.checkedRowCount(source.rowCount());
    this.context = context;
    this.memory = context.spill().revocable(HashPartitioner.PLACEMENT, this::spill);
  }

  /** Adds the next batch; returns whether there is more to do. */
  boolean next() {
    memory.begin();
    boolean hasMore;
    try {
      hasMore = !isSpilled && addNext();
    } catch (EngineException e) {
      if (!EngineException.isOutOfMemory(e)) {
        throw e;
      }
      spill();
      hasMore = false;
    }
    memory.end(isSpilled ? 0 : join.tableBytes(addedRows, batchBytes));
    return hasMore;
  }

  private boolean addNext() {
    if (groups == null) {
      open();
    }
    Deque<SpillableBatch> left = source.batches();
    if (left.isEmpty()) {
      end();
      return false;
    }
    RecordBatch batch = left.element().take(context.allocator());
    left.remove();
    batches.add(batch);
    add(batch);
    return true;
  }

  private void open() {
    KeyColumns.Keys buildKeys = join.buildSide().keys();
    groups =
        new GroupTable(
            context.backend(), context.allocator(), KeyHashes.layouts(buildKeys), rowCount);
    keys = new KeyColumns(buildKeys, context);
    groupIds = context.allocator().allocate((long) rowCount * Integer.BYTES);
  }

  private void add(RecordBatch batch) {
    long bytes = (long) batch.rowCount() * Integer.BYTES;
    try (MemoryBuffer numbers = context.allocator().allocate(bytes)) {
      keys.use(batch, columns -> groups.assign(columns, batch.rowCount(), numbers));
      long target = groupIds.address() + (long) addedRows * Integer.BYTES;
      Memory.copy(numbers.address(), target, bytes);
    }
    addedRows += batch.rowCount();
    batchBytes += batch.ownSizeInBytes();
    if (context.cancelled().getAsBoolean()) {
      throw new CancellationException("the operator was cancelled");
    }
  }

  /** Lists the rows of each group, when all are there. */
  private void end() {
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

  /** Returns the rows to their source, from where they may leave memory, and frees all else. */
  private void spill() {
    for (RecordBatch batch : batches) {
      source.add(context.spill().add(batch, HashPartitioner.PLACEMENT));
    }
    batches.clear();
    isSpilled = true;
    free();
  }

  /**
   * Ends the time in which memory may be revoked.
   *
   * @return whether the rows are here; else they are in their source
   */
  boolean retain() {
    memory.close();
    return !isSpilled;
  }

  int rowCount() {
    return rowCount;
  }

  /** Hands the rows to the caller. */
  List<RecordBatch> takeBatches() {
    List<RecordBatch> taken = List.copyOf(batches);
    batches.clear();
    return taken;
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

  private void free() {
    Closer closer = new Closer();
    closer.close(keys);
    closer.close(groupIds);
    closer.close(chains);
    batches.forEach(closer::close);
    closer.close(groups);
    keys = null;
    groupIds = null;
    chains = null;
    batches.clear();
    groups = null;
    closer.rethrow();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(memory);
    closer.close(this::free);
    closer.rethrow();
  }
}
