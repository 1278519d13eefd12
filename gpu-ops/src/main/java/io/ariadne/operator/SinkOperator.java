package io.ariadne.operator;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;

/**
 * A breaker at the end of a pipeline: consumes a whole input on several threads, then yields its
 * output.
 *
 * <p>This object is the global state. Protocol: the driver asks for one {@link SinkState} per
 * thread of work, feeds batches to those, lets each finish by itself ({@link SinkState#finish()},
 * several at a time) when the input has ended, hands each to {@link #combine}, calls {@link
 * #finish()} once after the last combine and then drains {@link #getOutput()} until {@link
 * #isFinished()}. Only {@link #newLocal()} may be called by several threads at once; all other
 * calls are serialised by the driver, though not always on the same thread. Every call lasts at
 * most about 50 ms. The multiset of output rows must not depend on how batches were spread over
 * local states nor on the order of combines.
 */
public interface SinkOperator extends Repeatable, AutoCloseable {
  /** Returns the columns of the output. */
  Schema outputSchema();

  /**
   * Creates a thread-local state. Thread-safe.
   *
   * @return a state owned by the caller until it is combined or closed
   */
  SinkState newLocal();

  /**
   * Merges a local state into this global state.
   *
   * @param local made by {@link #newLocal()} of this operator, never fed again; owned and closed by
   *     this operator from now on, also when this throws
   */
  void combine(SinkState local);

  /**
   * Says that every local state was combined. Called once; there may have been no local state at
   * all.
   */
  void finish();

  /**
   * Returns the next output batch, owned by the caller, or null when there is none now; after
   * {@link #finish()}.
   */
  RecordBatch getOutput();

  /**
   * Hands the output over in pieces that several threads may draw at once; called at most once,
   * after {@link #finish()} and before {@link #getOutput()}.
   *
   * @return the whole output, owned by the caller, usable also after this is closed; null when the
   *     output comes by {@link #getOutput()}
   */
  default SplitSource takeSplits() {
    return null;
  }

  /**
   * Returns whether operators that use what this has built yield nothing, whatever their input;
   * after {@link #finish()}.
   */
  default boolean sparesInput() {
    return false;
  }

  /** Returns whether no more output comes; false before {@link #finish()}. */
  boolean isFinished();

  /**
   * Frees everything the global state holds. Called once, in any state; local states are closed by
   * their holders.
   */
  @Override
  void close();
}
