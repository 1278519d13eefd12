package io.ariadne.operator.join;

import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.operator.KeyColumns;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SinkOperatorFactory;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * One execution of a join: a sink that keeps the build side, whose splits make the parts of a
 * table; a sink that reads these and completes the table; and a transform of the probe side's
 * batches, whose operators are made when that sink has finished. It owns what was built, so it is
 * closed after these operators.
 */
public final class HashJoin {
  /** Pairs of one batch of the output, at most. */
  static final int BATCH_PAIRS = 1 << 15;

  private final JoinSpec spec;
  private final int batchPairs;
  private final JoinLimits limits; // null for those that suit the memory
  private final Side build;
  private final Side probe;
  private volatile HashTableBuilder construction;
  private volatile JoinBuild built;
  private JoinBuild shared; // null for what this execution builds

  /**
   * A side of a join.
   *
   * @param schema its columns
   * @param keys over these
   */
  record Side(Schema schema, KeyColumns.Keys keys) {}

  /**
   * Prepares a join.
   *
   * @param spec what is joined
   * @param keepsOrder whether rows come in the order of the probe side: then the build side must
   *     fit memory
   */
  public HashJoin(JoinSpec spec, boolean keepsOrder) {
    this(spec, BATCH_PAIRS, keepsOrder ? JoinLimits.WHOLE_TABLE : null);
  }

  /**
   * Prepares a join over a build side that is there already: {@link #shared()} takes the place of
   * the first two sinks. Rows come in the order of the probe side.
   *
   * @param spec what is joined
   * @param shared made for the same {@link JoinSpec#buildShape}; stays its owner's, open as long as
   *     this execution
   */
  public HashJoin(JoinSpec spec, SharedBuild shared) {
    this(spec, BATCH_PAIRS, JoinLimits.WHOLE_TABLE);
    this.shared = shared.of(spec);
  }

  HashJoin(JoinSpec spec, int batchPairs, JoinLimits limits) {
    this.spec = spec;
    this.batchPairs = batchPairs;
    this.limits = limits;
    this.build = new Side(spec.build(), KeyColumns.Keys.of(spec.buildKeys()));
    this.probe = new Side(spec.probe(), KeyColumns.Keys.of(spec.probeKeys()));
  }

  /** Returns what makes the one sink that takes the build side; its splits yield no rows. */
  public SinkOperatorFactory build() {
    return context -> new JoinBuildOperator(this, context);
  }

  /** Returns what makes the one sink that takes the output of the first; it yields no rows. */
  public SinkOperatorFactory table() {
    return context -> new JoinTableOperator(this, null);
  }

  /**
   * Returns what makes the second sink of an execution that only builds, which keeps order.
   *
   * @param target takes what was built, when the sink has everything; its owner from then on
   */
  public SinkOperatorFactory table(Consumer<SharedBuild> target) {
    Objects.requireNonNull(target, "target is null");
    return context -> new JoinTableOperator(this, target);
  }

  /** Returns what makes the one sink of an execution over a shared build side, for no rows. */
  public SinkOperatorFactory shared() {
    return context -> new SharedBuildOperator(this, shared);
  }

  /** Returns what makes operators of the probe side, once the second sink has finished. */
  public OperatorFactory probe() {
    return context -> new JoinOperator(this, built(), context);
  }

  JoinSpec spec() {
    return spec;
  }

  /** Returns how many pairs a batch of the output has at most. */
  int batchPairs() {
    return batchPairs;
  }

  /** Returns how much may be in memory at once. */
  JoinLimits limits(OperatorContext context) {
    return limits == null ? JoinLimits.of(context) : limits;
  }

  Side buildSide() {
    return build;
  }

  Side probeSide() {
    return probe;
  }

  /** Returns whether it matters that a key of the build side is null. */
  boolean mustKnowNulls() {
    return spec.kind() == JoinKind.NULL_AWARE_ANTI;
  }

  /**
   * Returns whether rows may be partitioned and spilled; not when the output keeps the order of the
   * probe side.
   */
  boolean mayPartition() {
    return limits == null || limits.mayPartition();
  }

  /** Returns whether rows of the build side make a table that is too large. */
  boolean isTooLarge(long rowCount, long bytes, OperatorContext context) {
    return tableBytes(rowCount, bytes) > limits(context).tableBytes() || isBeyondTable(rowCount);
  }

  /** Returns whether rows are more than one table can number, and may be partitioned. */
  private boolean isBeyondTable(long rowCount) {
    return rowCount > BuildColumns.MAX_ROWS && mayPartition();
  }

  /** Returns whether rows make a table that is too large for one of several lanes' pairs. */
  boolean isTooLargeForPair(long rowCount, long bytes, OperatorContext context) {
    return tableBytes(rowCount, bytes) > limits(context).pairBytes() || isBeyondTable(rowCount);
  }

  /**
   * Returns how much tables of pairs take: together no more than the first one, and each no more
   * than a thread of work may have.
   */
  SpilledPartitionPairs.Account pairAccount(OperatorContext context) {
    JoinLimits most = limits(context);
    return new SpilledPartitionPairs.Account(
        most.tableBytes(),
        pair ->
            Math.min(tableBytes(pair.build().rowCount(), pair.build().bytes()), most.pairBytes()));
  }

  /** Returns what a table of rows takes, about. */
  long tableBytes(long rowCount, long bytes) {
    return JoinLimits.tableBytes(
        rowCount, bytes, GroupTable.keyWordsOf(KeyHashes.layouts(build.keys())));
  }

  /** Publishes the table while it is made, which stays its owner's. */
  void constructs(HashTableBuilder begun) {
    construction = begun;
  }

  HashTableBuilder construction() {
    return construction;
  }

  /** Publishes what was built, which stays the sink's. */
  void built(JoinBuild complete) {
    built = complete;
  }

  private JoinBuild built() {
    JoinBuild complete = built;
    if (complete == null) {
      throw new IllegalStateException("the build side is not complete");
    }
    return complete;
  }
}
