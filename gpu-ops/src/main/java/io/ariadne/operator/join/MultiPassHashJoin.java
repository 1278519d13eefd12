package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
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
  private final OperatorContext context;
  private final Deque<SpillableBatch> build;
  private final long bytesPerRow;
  private final List<SpilledProbeBatch> probes = new ArrayList<>();
  private final Deque<SpillableBatch> chunk = new ArrayDeque<>();
  private TableProbe.Part part; // of the current table; null before the first
  private JoinTable table;
  private TableProbe current; // null between tables
  private int nextProbe;
  private boolean isFinishing;

  /**
   * Prepares.
   *
   * @param pair its rows are taken out
   */
  MultiPassHashJoin(HashJoin join, SpilledPartitionPair pair, OperatorContext context) {
    this.join = join;
    this.context = context;
    this.build = pair.build().batches();
    this.bytesPerRow = pair.build().bytes() / Math.max(1, pair.build().rowCount());
    Deque<SpillableBatch> batches = pair.probe().batches();
    while (!batches.isEmpty()) {
      probes.add(new SpilledProbeBatch(batches.remove()));
    }
  }

  boolean isOver() {
    return current == null && part != null && part != TableProbe.Part.SOME;
  }

  /** Does the next step; returns its output, owned by the caller, or null for none. */
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
      isFinishing = true;
      current.finish();
    }
    RecordBatch marked = current.nextMarked();
    if (marked == null) {
      closeTable();
    }
    return marked;
  }

  private void probeNext() {
    ProbeBatch batch = probes.get(nextProbe++).open(part != TableProbe.Part.SOME, context);
    try {
      current.add(batch);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(batch);
      closer.suppressIn(e);
      throw e;
    }
  }

  private void openTable() {
    long rows = 0;
    do {
      if (!build.isEmpty()) {
        rows += build.element().rowCount();
        chunk.add(build.remove());
      }
    } while (!build.isEmpty() && fits(rows + build.element().rowCount()));
    table = tableOfChunk();
    boolean isFirst = part == null;
    part =
        !build.isEmpty()
            ? TableProbe.Part.SOME
            : isFirst ? TableProbe.Part.ALL : TableProbe.Part.LAST;
    current = new TableProbe(join, table, part, false, context);
    nextProbe = 0;
    isFinishing = false;
  }

  /** Makes a table of the chunk, or of fewer batches when memory is refused. */
  private JoinTable tableOfChunk() {
    while (true) {
      try {
        JoinTable made = JoinTable.ofSpilled(join, chunk, context);
        Closer closer = new Closer();
        chunk.forEach(closer::close);
        chunk.clear();
        closer.rethrow();
        return made;
      } catch (EngineException e) {
        if (e.code() != ErrorCode.OUT_OF_MEMORY || chunk.size() < 2) {
          throw e;
        }
      }
      for (int i = chunk.size() / 2; i > 0; i--) {
        build.addFirst(chunk.removeLast());
      }
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
    probes.forEach(closer::close);
    chunk.forEach(closer::close);
    closer.rethrow();
  }
}
