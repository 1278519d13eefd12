package io.ariadne.operator.join;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.SplitSource;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Collects the build side of a join. Its output is splits without rows, each of which builds a part
 * of the hash table: the whole table or, when there are many rows, one hash table partition.
 * Partitions that do not fit into the table stay spilled.
 */
final class JoinBuildOperator implements SinkOperator {
  private final HashJoin join;
  private final OperatorContext context;
  private final BuildSize size;

  /** States whose rows this object does not have yet. */
  private final Deque<JoinBuildState> states = new ArrayDeque<>();

  private final List<BuildBatch> batches = new ArrayList<>();
  private final List<SpilledPartition> partitions = SpilledPartition.partitions();
  private boolean hasNullKey;
  private HashTableBuilder builder;
  private boolean areSplitsTaken;

  JoinBuildOperator(HashJoin join, OperatorContext context) {
    this.join = join;
    this.context = context;
    this.size = new BuildSize(join, context);
  }

  @Override
  public Schema outputSchema() {
    return join.spec().build();
  }

  @Override
  public SinkState newLocal() {
    return new JoinBuildState(join, size, context);
  }

  /**
   * Takes the rows of a state. A state may have to partition rows first, when other drivers have
   * added many since it finished; when memory is refused for that, {@link #finish} does it.
   */
  @Override
  public void combine(SinkState local) {
    states.add((JoinBuildState) local);
    try {
      takeStates();
    } catch (EngineException e) {
      if (!EngineException.isOutOfMemory(e)) {
        throw e;
      }
    }
  }

  private void takeStates() {
    while (!states.isEmpty()) {
      JoinBuildState state = states.element();
      boolean isOver = state.finish();
      while (!isOver) {
        isOver = state.finish();
      }
      hasNullKey |= state.takeRows(batches, partitions);
      states.remove();
      state.close();
    }
  }

  /** Returns true: {@link #finish} takes memory only to complete the states, one by one. */
  @Override
  public boolean mayRepeat() {
    return true;
  }

  @Override
  public void finish() {
    takeStates();
    long spilled = size.isTooLarge() ? partitionsTooMany() : 0;
    HashTableBuilder.Facts facts =
        new HashTableBuilder.Facts(spilled, size.rowCount(), size.bytes(), hasNullKey);
    boolean hasParts = size.hasParts();
    List<SpilledPartition> inOnePart =
        IntStream.range(0, hasParts ? 0 : HashPartitioner.PARTITIONS)
            .filter(i -> (spilled >>> i & 1) == 0)
            .mapToObj(partitions::get)
            .toList();
    builder = new HashTableBuilder(join, inOrder(inOnePart), partitions, hasParts, facts, context);
    batches.clear();
    inOnePart.forEach(SpilledPartition::clear);
    join.building(builder);
  }

  /**
   * Returns the rows of a table of one part, those that are not partitioned first. The operator
   * owns them until the builder does.
   *
   * <p>Batches are in the order of their sequence numbers, so that the order of a row's matches
   * does not depend on which thread took in which batch. Those of one slice of a scan have one
   * number, and any order.
   */
  private Deque<SpillableBatch> inOrder(List<SpilledPartition> inOnePart) {
    batches.sort(Comparator.comparingLong(BuildBatch::sequence));
    Deque<SpillableBatch> inOrder = new ArrayDeque<>();
    batches.forEach(batch -> inOrder.add(batch.rows()));
    inOnePart.forEach(rows -> inOrder.addAll(rows.batches()));
    return inOrder;
  }

  /** Returns the partitions, a bit each, that do not fit into a table with those before them. */
  private long partitionsTooMany() {
    long rows = 0;
    long bytes = 0;
    long tooMany = 0;
    for (int i = 0; i < HashPartitioner.PARTITIONS; i++) {
      SpilledPartition partition = partitions.get(i);
      long moreRows = rows + partition.rowCount();
      long moreBytes = bytes + partition.bytes();
      if (join.isTooLarge(moreRows, moreBytes, context)) {
        tooMany |= 1L << i;
      } else {
        rows = moreRows;
        bytes = moreBytes;
      }
    }
    return tooMany;
  }

  @Override
  public RecordBatch getOutput() {
    return null;
  }

  @Override
  public SplitSource takeSplits() {
    areSplitsTaken = true;
    return builder;
  }

  @Override
  public boolean isFinished() {
    return builder != null;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    states.forEach(closer::close);
    batches.forEach(batch -> closer.close(batch.rows()));
    partitions.forEach(closer::close);
    if (!areSplitsTaken) {
      closer.close(builder);
    }
    closer.rethrow();
  }
}
