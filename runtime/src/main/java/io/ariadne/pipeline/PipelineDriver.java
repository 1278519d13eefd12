package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.error.EngineException;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Drives one instance of a pipeline's operators and the sink's local state. One thread at a time
 * calls it.
 *
 * <pre>
 *   RUNNING --- finish ---> DRAINING --- nothing left ---> FINISHED
 *     ^ |                     ^ |
 *     | v                     | v
 *   BLOCKED   an operator makes it wait for a future
 *   PAUSED    the consumers make it wait for a future
 *   RETRYING  a call found no memory: the driver pauses, then repeats the call
 *   STALLED   the driver has work, nothing blocks it, and no operator did anything
 * </pre>
 *
 * <p>A driver stalls for a moment when another driver takes what its operator has waited for. It
 * tries again after a pause. A driver that stays stalled for longer than a limit fails: an operator
 * of it has a bug.
 */
final class PipelineDriver implements AutoCloseable {
  /** What the driver does, or what keeps it from working. */
  enum State {
    /** Takes input and passes batches from operator to operator. */
    RUNNING,
    /** Takes no more input; the operators emit what they hold. */
    DRAINING,
    /** Waits for a future of an operator. */
    BLOCKED,
    /** Waits until consumers accept more output. */
    PAUSED,
    /** Pauses before it repeats a call that found no memory. */
    RETRYING,
    /** Has work, waits for nothing, and did nothing. */
    STALLED,
    /** Has emitted everything. */
    FINISHED
  }

  private static final long STALL_PAUSE_MILLIS = 1;

  private final OperatorChain chain;
  private final long stallNanos;

  /** Written by the thread that drives; read by threads that describe the fragment. */
  private volatile State state = State.RUNNING;

  private boolean isDraining;

  /** Whether no operator has done anything since {@link #stalledSince}. */
  private boolean isStalled;

  private long stalledSince;

  /**
   * Creates a driver without operators.
   *
   * @param plan the pipeline
   * @param sink its sink, or null; the caller keeps ownership
   * @param metrics metrics by plan node
   * @param stallMillis how long the driver may be stalled before it fails
   * @param retryPauseMillis first pause after a call found no memory, see {@link OutOfMemoryRetry}
   */
  PipelineDriver(
      PipelinePlan plan,
      SinkOperator sink,
      Map<Integer, NodeMetrics> metrics,
      long stallMillis,
      long retryPauseMillis) {
    this.chain = new OperatorChain(plan, sink, metrics, retryPauseMillis);
    this.stallNanos = TimeUnit.MILLISECONDS.toNanos(stallMillis);
  }

  /**
   * Creates the operators unless that has happened. When this throws, {@link #close} releases the
   * operators that exist.
   *
   * @return null when the operators exist, else what the driver waits for before the next attempt
   */
  CompletableFuture<Void> open(OperatorContext context) {
    CompletableFuture<Void> pause = chain.open(context);
    if (pause != null) {
      state = State.RETRYING;
    }
    return pause;
  }

  /**
   * Gives the driver its next batch and takes ownership of it; the previous batch must be used up.
   */
  void offer(RecordBatch batch) {
    chain.offer(batch);
  }

  /** Notes that no more batches follow. */
  void finish() {
    isDraining = true;
    state = State.DRAINING;
    chain.finish();
  }

  /**
   * Works until the time slice is over or there is nothing to do.
   *
   * @return null when nothing is left of the input, and after {@link #finish} of the output either;
   *     a complete future when the time slice is over; else what the driver waits for
   */
  CompletableFuture<Void> process(TimeSlice slice) {
    state = working();
    while (slice.hasTime()) {
      CompletableFuture<Void> pressure = backPressure(slice);
      if (pressure != null) {
        return pressure;
      }
      if (!chain.step(slice::emit)) {
        return idle(slice);
      }
      isStalled = false;
    }
    return Operator.NOT_BLOCKED;
  }

  /**
   * Works as {@link #process} does, but only with batches after an operator that has failed: these
   * precede the batch that failed. Emits the rows that the operators there buffer.
   */
  CompletableFuture<Void> processBehind(int index, TimeSlice slice) {
    state = working();
    while (slice.hasTime()) {
      CompletableFuture<Void> pressure = backPressure(slice);
      if (pressure != null) {
        return pressure;
      }
      if (!chain.stepBehind(index, slice::emit) && !chain.flushBehind(index)) {
        return blocked(chain.blockedBehind(index));
      }
    }
    return Operator.NOT_BLOCKED;
  }

  private State working() {
    return isDraining ? State.DRAINING : State.RUNNING;
  }

  private CompletableFuture<Void> backPressure(TimeSlice slice) {
    return waiting(chain.hasOutput() ? slice.backPressure() : null, State.PAUSED);
  }

  private CompletableFuture<Void> blocked(CompletableFuture<Void> future) {
    return waiting(future, State.BLOCKED);
  }

  private CompletableFuture<Void> waiting(CompletableFuture<Void> future, State waiting) {
    if (future != null) {
      state = chain.isRetrying() ? State.RETRYING : waiting;
    }
    return future;
  }

  /** Decides what it means that no operator had anything to do. */
  private CompletableFuture<Void> idle(TimeSlice slice) {
    CompletableFuture<Void> blocked = chain.blockedOn();
    if (blocked == null && chain.step(slice::emit)) {
      isStalled = false; // what had blocked an operator ended just now
      return Operator.NOT_BLOCKED;
    }
    blocked = blocked == null ? chain.blockedOn() : blocked;
    if (blocked != null) {
      return blocked(blocked);
    }
    EngineException stuck = chain.stuck();
    if (stuck != null) {
      return stall(stuck);
    }
    state = isDraining ? State.FINISHED : State.RUNNING;
    isStalled = false;
    return null;
  }

  private CompletableFuture<Void> stall(EngineException stuck) {
    long now = System.nanoTime();
    if (!isStalled) {
      isStalled = true;
      stalledSince = now;
    } else if (now - stalledSince > stallNanos) {
      throw stuck;
    }
    state = State.STALLED;
    return new CompletableFuture<Void>()
        .completeOnTimeout(null, STALL_PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Returns what the driver does, or what keeps it from working; for any thread. */
  State state() {
    return state;
  }

  /** Returns whether an operator buffers rows for a larger batch. */
  boolean hasBufferedRows() {
    return chain.hasBufferedRows();
  }

  /** Lets the first operator that buffers rows emit them; returns whether there was one. */
  boolean flush() {
    return chain.flush();
  }

  /**
   * Returns whether an operator after an index has finished: rows of the operator at the index are
   * not needed.
   */
  boolean hasEndedBehind(int index) {
    return chain.hasEndedBehind(index);
  }

  /** Returns whether an operator needs no more input although more may follow. */
  boolean isSaturated() {
    return chain.isSaturated();
  }

  /** Returns the index of the operator called last; the sink's local state comes after the last. */
  int activeIndex() {
    return chain.activeIndex();
  }

  /** Notes which operator the driver works for; indexes as in {@link #activeIndex}. */
  void activate(int index) {
    chain.activate(index);
  }

  /** Returns the name, in messages, of the operator called last. */
  String active() {
    return chain.active();
  }

  /** Passes ownership of the sink's local state to the caller. */
  SinkState takeLocal() {
    return chain.takeLocal();
  }

  /** Closes the operators and the local state; idempotent. */
  @Override
  public void close() {
    chain.close();
  }
}
