package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.operator.OperatorContext;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Joins a pair of spilled partitions. The build rows become a hash table, which all probe rows
 * probe. Build rows that are too many for one table, because bits of their hashes do not divide
 * them, become several tables, one after the other, each with a pass over the probe rows; a bit per
 * probe row says whether an earlier pass has found a pair. Used by one thread at a time.
 */
final class MultiPassHashJoin implements AutoCloseable {
  private final HashJoin join;
  private final boolean isBuildEmpty;
  private final OperatorContext context;
  private final Deque<SpillableBatch> build;
  private final boolean ownsBuild;
  private final long bytesPerRow;
  private final List<SpilledProbeBatch> probes = new ArrayList<>();
  private final Deque<SpillableBatch> chunk = new ArrayDeque<>();
  private TableProbe.Part part; // of the current table; null before the first
  private JoinTable table;
  private TableProbe current; // null between tables
  private ProbeBatch opened; // not yet taken by the current table's probe; null for none
  private int nextProbe;
  private boolean isFinishing;

  /**
   * Prepares.
   *
   * @param pair its rows are taken out
   * @param isBuildEmpty whether the build side of the whole join has no rows
   */
  MultiPassHashJoin(
      HashJoin join, SpilledPartitionPair pair, boolean isBuildEmpty, OperatorContext context) {
    this.join = join;
    this.isBuildEmpty = isBuildEmpty;
    this.context = context;
    this.build = pair.build().batches();
    this.ownsBuild = true;
    this.bytesPerRow = pair.build().bytes() / Math.max(1, pair.build().rowCount());
    Deque<SpillableBatch> batches = pair.probe().batches();
    while (!batches.isEmpty()) {
      probes.add(new SpilledProbeBatch(batches.remove()));
    }
  }

  /**
   * Prepares to join one batch.
   *
   * @param rows the build rows; stay their owner's, open as long as this
   * @param probe ownership passes to this object
   */
  MultiPassHashJoin(HashJoin join, BuildRows rows, SpillableBatch probe, OperatorContext context) {
    this.join = join;
    this.isBuildEmpty = false;
    this.context = context;
    this.build = new ArrayDeque<>(rows.batches());
    this.ownsBuild = false;
    this.bytesPerRow = rows.bytes() / Math.max(1, rows.rowCount());
    probes.add(new SpilledProbeBatch(probe));
    build.forEach(SpillableBatch::prefetch);
  }

  boolean isOver() {
    return current == null && part != null && part != TableProbe.Part.SOME;
  }

  /**
   * Does the next step; returns its output, owned by the caller, or null for none. A step that was
   * refused memory may be repeated.
   */
  RecordBatch next() {
    if (current == null) {
      openTable();
      return null;
    }
    if (current.isBusy()) {
      return current.next();
    }
    if (nextProbe < probes.size()) {
      probeNext();
      return null;
    }
    if (!isFinishing) {
      current.finish();
      isFinishing = true;
    }
    RecordBatch marked = current.nextMarked();
    if (marked == null) {
      closeTable();
    }
    return marked;
  }

  private void probeNext() {
    if (opened == null) {
      opened = probes.get(nextProbe).open(part != TableProbe.Part.SOME, context);
    }
    current.add(opened);
    opened = null;
    nextProbe++;
  }

  private void openTable() {
    if (table == null) {
      takeChunk();
      table = tableOfChunk();
    }
    boolean isFirst = part == null;
    TableProbe.Part next =
        !build.isEmpty()
            ? TableProbe.Part.SOME
            : isFirst ? TableProbe.Part.ALL : TableProbe.Part.LAST;
    current = new TableProbe(join, table, next, isBuildEmpty, context);
    part = next;
    nextProbe = 0;
    isFinishing = false;
  }

  /** Takes build rows that fit a table, at least one batch of those that are left. */
  private void takeChunk() {
    long rows = 0;
    do {
      if (!build.isEmpty()) {
        rows += build.element().rowCount();
        chunk.add(build.remove());
      }
    } while (!build.isEmpty() && fits(rows + build.element().rowCount()));
  }

  /**
   * Makes a table of the chunk, or of fewer batches when memory is refused. When this throws, all
   * batches are build rows again.
   */
  private JoinTable tableOfChunk() {
    while (true) {
      try {
        JoinTable made = JoinTable.ofSpilled(join, chunk, context);
        closeChunk();
        return made;
      } catch (EngineException e) {
        boolean isHalved = EngineException.isOutOfMemory(e) && chunk.size() >= 2;
        giveBackFromChunk(isHalved ? chunk.size() / 2 : chunk.size());
        if (!isHalved) {
          throw e;
        }
      }
    }
  }

  private void closeChunk() {
    Closer closer = new Closer();
    if (ownsBuild) {
      chunk.forEach(closer::close);
    }
    chunk.clear();
    closer.rethrow();
  }

  /** Gives the last batches of the chunk back to the build rows. */
  private void giveBackFromChunk(int count) {
    for (int i = 0; i < count; i++) {
      build.addFirst(chunk.removeLast());
    }
  }

  private boolean fits(long rows) {
    return !join.isTooLargeForPair(rows, rows * bytesPerRow, context);
  }

  private void closeTable() {
    Closer closer = new Closer();
    closer.close(current);
    closer.close(table);
    current = null;
    table = null;
    closer.rethrow();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(this::closeTable);
    closer.close(opened);
    probes.forEach(closer::close);
    closer.close(this::closeChunk);
    closer.rethrow();
  }
}
