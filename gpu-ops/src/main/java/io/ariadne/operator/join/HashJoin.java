package io.ariadne.operator.join;

import io.ariadne.operator.KeyColumns;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SinkOperatorFactory;

/**
 * One execution of a join: a sink that keeps the build side, and a transform of the probe side's
 * batches, whose operators are made when the sink has finished. The sink owns what was built, so it
 * is closed after these operators.
 */
public final class HashJoin {
  /** Pairs of one batch of the output, at most. */
  static final int BATCH_PAIRS = 1 << 15;

  private final JoinSpec spec;
  private final int batchPairs;
  private final KeyColumns.Keys buildKeys;
  private final KeyColumns.Keys probeKeys;
  private volatile JoinTable table;

  /**
   * Prepares a join.
   *
   * @param spec what is joined
   */
  public HashJoin(JoinSpec spec) {
    this(spec, BATCH_PAIRS);
  }

  HashJoin(JoinSpec spec, int batchPairs) {
    this.spec = spec;
    this.batchPairs = batchPairs;
    this.buildKeys = KeyColumns.Keys.of(spec.buildKeys());
    this.probeKeys = KeyColumns.Keys.of(spec.probeKeys());
  }

  /** Returns what makes the one sink that takes the build side; it yields no rows. */
  public SinkOperatorFactory build() {
    return context -> new JoinBuildOperator(this, context);
  }

  /** Returns what makes operators of the probe side, once the sink has finished. */
  public OperatorFactory probe() {
    return context -> new JoinOperator(this, table(), context);
  }

  JoinSpec spec() {
    return spec;
  }

  /** Returns how many pairs a batch of the output has at most. */
  int batchPairs() {
    return batchPairs;
  }

  KeyColumns.Keys buildKeys() {
    return buildKeys;
  }

  KeyColumns.Keys probeKeys() {
    return probeKeys;
  }

  /** Publishes what was built, which stays the sink's. */
  void built(JoinTable complete) {
    table = complete;
  }

  private JoinTable table() {
    JoinTable complete = table;
    if (complete == null) {
      throw new IllegalStateException("the build side is not complete");
    }
    return complete;
  }
}
