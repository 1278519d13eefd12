package io.ariadne.operator.join;

import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.hash.GroupTable;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.operator.key.KeyColumns;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Executes one hash join: a first sink collects the build side, and its splits build the hash
 * table; a second sink reads the splits and completes the table; a transform joins the batches of
 * the probe side. The transform's operators are created when the second sink has finished. That
 * sink owns the table and is closed after the operators.
 */
public final class HashJoin {
  /** As many pairs in an output batch as suit the back end. */
  private static final int SUITABLE = 0;

  private final JoinSpec spec;
  private final int batchPairs;
  private final JoinLimits limits; // null: derived from the memory's size
  private final Side build;
  private final Side probe;
  private volatile HashTableBuilder builder;
  private volatile JoinBuild built;
  private JoinBuild shared; // null when this execution builds its own

  /**
   * The columns and keys of a side of a join.
   *
   * @param schema its columns
   * @param keys expressions over these columns
   */
  record Side(Schema schema, KeyColumns.Keys keys) {}

  /**
   * Prepares a join.
   *
   * @param spec what is joined
   * @param keepsOrder whether output rows keep the order of the probe side; the build side is then
   *     not partitioned: where memory for one table is refused, {@link OrderedMultiPassJoin} joins
   */
  public HashJoin(JoinSpec spec, boolean keepsOrder) {
    this(spec, SUITABLE, keepsOrder ? JoinLimits.WHOLE_TABLE : null);
  }

  /**
   * Prepares a join over an existing build side: {@link #shared()} replaces the first two sinks.
   * Output rows keep the order of the probe side.
   *
   * @param spec what is joined
   * @param shared built for the same {@link JoinSpec#buildShape}; stays its owner's, open as long
   *     as this execution
   */
  public HashJoin(JoinSpec spec, SharedBuild shared) {
    this(spec, SUITABLE, JoinLimits.WHOLE_TABLE);
    this.shared = shared.of(spec);
  }

  HashJoin(JoinSpec spec, int batchPairs, JoinLimits limits) {
    this.spec = spec;
    this.batchPairs = batchPairs;
    this.limits = limits;
    this.build = new Side(spec.build(), KeyColumns.Keys.of(spec.buildKeys()));
    this.probe = new Side(spec.probe(), KeyColumns.Keys.of(spec.probeKeys()));
  }

  /** Returns the factory of the sink that collects the build side; its splits yield no rows. */
  public SinkOperatorFactory build() {
    return context -> new JoinBuildOperator(this, context);
  }

  /** Returns the factory of the sink that reads the first sink's splits; it yields no rows. */
  public SinkOperatorFactory table() {
    return context -> new JoinTableOperator(this, null);
  }

  /**
   * Returns the factory of the second sink of an execution that only builds.
   *
   * @param target takes ownership of the build side when the sink has finished
   */
  public SinkOperatorFactory table(Consumer<SharedBuild> target) {
    Objects.requireNonNull(target, "target is null");
    return context -> new JoinTableOperator(this, target);
  }

  /**
   * Returns the factory of the only sink of an execution over a shared build side; it takes no
   * rows.
   */
  public SinkOperatorFactory shared() {
    return context -> new SharedBuildOperator(this, shared);
  }

  /**
   * Returns the factory of the probe side's operators; usable once the second sink has finished.
   */
  public OperatorFactory probe() {
    return new Probe();
  }

  private final class Probe implements OperatorFactory {
    @Override
    public Operator create(OperatorContext context) {
      return new JoinOperator(HashJoin.this, built(), context);
    }

    /** They find pairs and gather the columns of both sides. */
    @Override
    public ColumnUse columnUse() {
      return ColumnUse.KERNELS;
    }
  }

  JoinSpec spec() {
    return spec;
  }

  /** Returns the most pairs of an output batch. */
  int batchPairs(OperatorContext context) {
    return batchPairs == SUITABLE ? context.outputRows() : batchPairs;
  }

  /** Returns how much of the join may be in memory at once. */
  JoinLimits limits(OperatorContext context) {
    return limits == null ? JoinLimits.of(context) : limits;
  }

  Side buildSide() {
    return build;
  }

  Side probeSide() {
    return probe;
  }

  /** Returns whether the output depends on null keys in the build side. */
  boolean mustKnowNulls() {
    return spec.kind() == JoinKind.NULL_AWARE_ANTI;
  }

  /**
   * Returns whether rows may be partitioned and spilled; false when the output keeps the order of
   * the probe side.
   */
  boolean mayPartition() {
    return limits == null || limits.mayPartition();
  }

  /**
   * Returns whether a build side that may not be partitioned may be joined in passes: not when its
   * rows are marked, which belong to one table as long as the execution lasts.
   */
  boolean mayJoinInPasses() {
    return !spec.kind().marksBuildRows();
  }

  /**
   * Returns the join that each pass of an {@link OrderedMultiPassJoin} executes; its tables may be
   * as large as those of partitions.
   */
  HashJoin ofPasses() {
    JoinLimits ofTables = JoinLimits.WHOLE_TABLE.equals(limits) ? null : limits;
    JoinSpec numbered = spec.kind().yieldsPairs() ? spec.withRowNumbers() : spec;
    return new HashJoin(numbered, batchPairs, ofTables);
  }

  /** Returns whether build rows are too many or too large for one table. */
  boolean isTooLarge(long rowCount, long bytes, OperatorContext context) {
    return tableBytes(rowCount, bytes) > limits(context).tableBytes() || isBeyondTable(rowCount);
  }

  /** Returns whether one table cannot number the rows and they may be partitioned. */
  private boolean isBeyondTable(long rowCount) {
    return rowCount > BuildColumns.MAX_ROWS && mayPartition();
  }

  /** Returns whether rows are too many or too large for one driver's pair of partitions. */
  boolean isTooLargeForPair(long rowCount, long bytes, OperatorContext context) {
    return tableBytes(rowCount, bytes) > limits(context).pairBytes() || isBeyondTable(rowCount);
  }

  /**
   * Returns the memory account of partition pairs: all their tables together take at most as much
   * as the first table, and each at most a driver's share.
   */
  SpilledPartitionPairs.Account pairAccount(OperatorContext context) {
    JoinLimits most = limits(context);
    return new SpilledPartitionPairs.Account(
        most.tableBytes(),
        pair ->
            Math.min(tableBytes(pair.build().rowCount(), pair.build().bytes()), most.pairBytes()));
  }

  /** Estimates the bytes of a table of rows. */
  long tableBytes(long rowCount, long bytes) {
    return JoinLimits.tableBytes(
        rowCount, bytes, GroupTable.keyWordsOf(KeyHashes.layouts(build.keys())));
  }

  /** Publishes the table's builder, which stays its owner's. */
  void building(HashTableBuilder started) {
    builder = started;
  }

  HashTableBuilder builder() {
    return builder;
  }

  /** Publishes the build side, which stays the sink's. */
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
