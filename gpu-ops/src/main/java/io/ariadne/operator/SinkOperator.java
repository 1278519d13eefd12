package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;

/**
 * A pipeline breaker: consumes its whole input on several threads, then yields its output.
 *
 * <p>This object is the global state. Protocol: the caller creates one {@link SinkState} per
 * pipeline driver and feeds batches to it. When the input has ended, each state finishes by itself
 * ({@link SinkState#finish()}, several at a time). The caller passes each state to {@link
 * #combine}, calls {@link #finish()} once after the last combine and then drains {@link
 * #getOutput()} until {@link #isFinished()} is true. Several threads may call {@link #newLocal()}
 * at the same time. All other calls are serialised, though not always on the same thread. A call
 * lasts at most about 50 ms. The multiset of output rows must depend neither on how batches were
 * distributed to local states nor on the order of combines.
 */
public interface SinkOperator extends Repeatable, AutoCloseable {
  /** Returns the columns of the output. */
  Schema outputSchema();

  /**
   * Creates the state of a pipeline driver. Thread-safe.
   *
   * @return a state owned by the caller until it is combined or closed
   */
  SinkState newLocal();

  /**
   * Merges a local state into this global state.
   *
   * @param local made by {@link #newLocal()} of this operator, never fed again; this operator takes
   *     ownership and closes it, also when this throws
   */
  void combine(SinkState local);

  /** Tells that every local state is combined. Called once; there may have been no local state. */
  void finish();

  /**
   * Returns the next output batch, owned by the caller, or null when there is none now. Called
   * after {@link #finish()}.
   */
  RecordBatch getOutput();

  /**
   * Returns the output as splits that several threads may read at the same time. Called at most
   * once, after {@link #finish()} and before {@link #getOutput()}.
   *
   * @return the whole output, owned by the caller, also usable after this operator is closed; null
   *     when {@link #getOutput()} yields the output
   */
  default SplitSource takeSplits() {
    return null;
  }

  /**
   * Returns whether the operators that use what this sink has built have no output, whatever their
   * other input is. Called after {@link #finish()}; the caller then does not read that input.
   */
  default boolean provesOutputEmpty() {
    return false;
  }

  /** Returns whether no more output comes; false before {@link #finish()}. */
  boolean isFinished();

  /**
   * Frees everything that the global state owns. Called once, in any state. The owners of local
   * states close those.
   */
  @Override
  void close();
}
