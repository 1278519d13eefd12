package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.fragment.control.OutOfMemoryReport;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The operators of a driver, one instance per transform of the pipeline, and the sink's local
 * state. Passes batches from each operator to the next, and repeats calls that found no memory.
 * Used by one thread at a time.
 *
 * <p>Transforms are numbered from 0; the sink's local state comes after the last one.
 */
final class OperatorChain implements AutoCloseable {
  private final PipelinePlan plan;
  private final SinkOperator sink;
  private final DriverNodes nodes;
  private final List<Operator> operators = new ArrayList<>();
  private SinkState local;
  private RecordBatch input;
  private boolean opened;
  private boolean finishing;
  private int finishedCalls;
  private boolean localFinished;

  /** The index of the operator called last. */
  private int active;

  /** By operator, the batch that found no memory; null for none. */
  private OutOfMemoryRetry[] retries = {};

  /** By operator, the creation or getOutput call that found no memory; null for none. */
  private OutOfMemoryRetry[] calls = {};

  /**
   * The finish call that found no memory, of the operator {@link #finishedCalls}; null for none.
   */
  private OutOfMemoryRetry finishCall;

  /** Operators that were replaced by the host's, because the device has no memory for them. */
  private final BitSet onHost = new BitSet();

  private final long retryPauseMillis;
  private OperatorContext context;
  private BatchQueue queue;

  /**
   * Creates a chain without operators.
   *
   * @param plan the pipeline
   * @param sink its sink, or null; the caller keeps ownership
   * @param metrics metrics by plan node
   * @param retryPauseMillis first pause after a call found no memory, see {@link OutOfMemoryRetry}
   */
  OperatorChain(
      PipelinePlan plan,
      SinkOperator sink,
      Map<Integer, NodeMetrics> metrics,
      long retryPauseMillis) {
    this.plan = plan;
    this.sink = sink;
    this.nodes = new DriverNodes(plan, metrics);
    this.retryPauseMillis = retryPauseMillis;
  }

  /**
   * Creates the operators and the local state, unless they exist. If this throws, {@link #close}
   * releases what exists.
   *
   * @return null if all exist, else what to wait for before the next attempt
   */
  CompletableFuture<Void> open(OperatorContext runtime) {
    if (opened) {
      return null;
    }
    if (context == null) {
      context = runtime;
      queue = new BatchQueue(context);
      retries = new OutOfMemoryRetry[plan.transforms().size() + 1];
      calls = new OutOfMemoryRetry[retries.length];
    }
    try {
      create();
    } catch (EngineException e) {
      // A factory that throws has created nothing.
      calls[active] = repeatLater(calls[active], true, e);
      return calls[active].pause();
    }
    opened = true;
    return null;
  }

  private void create() {
    while (operators.size() < plan.transforms().size()) {
      activate(operators.size());
      operators.add(plan.transforms().get(active).factory().create(context));
      calls[active] = null;
    }
    activate(operators.size());
    local = sink == null ? null : sink.newLocal();
    calls[active] = null;
  }

  /**
   * Gives the chain its next batch and takes ownership of it; the previous batch must be used up.
   */
  void offer(RecordBatch batch) {
    if (input != null || finishing) {
      batch.close();
      throw new IllegalStateException("the operators cannot take a batch now");
    }
    input = batch;
  }

  /** Notes that no more batches follow. */
  void finish() {
    finishing = true;
  }

  /**
   * Passes one batch to the next operator, or does another small piece of work.
   *
   * @param output takes batches that leave the last transform of a pipeline without a sink
   * @return whether there was anything to do
   */
  boolean step(Consumer<RecordBatch> output) {
    int ended = lastFinished();
    if (ended >= 0 && dropBefore(ended)) {
      return true;
    }
    if (stepBehind(ended, output)) {
      return true;
    }
    if (input != null && accepts(0)) {
      RecordBatch batch = input;
      input = null;
      pass(0, batch, output);
      return true;
    }
    return finishing && input == null && finishNext();
  }

  /** Does a piece of work as {@link #step} does, but only with operators after an index. */
  boolean stepBehind(int index, Consumer<RecordBatch> output) {
    if (index < operators.size() && retry(operators.size())) {
      return true;
    }
    for (int i = operators.size() - 1; i > index; i--) {
      if (accepts(i + 1)) {
        RecordBatch batch = poll(i);
        if (batch != null && batch.rowCount() == 0) {
          batch.close();
          return true;
        }
        if (batch != null) {
          pass(i + 1, batch, output);
          return true;
        }
      }
      if (retry(i)) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether an operator after an index has finished: it takes no more rows. */
  boolean hasEndedBehind(int index) {
    return lastFinished() > index;
  }

  /** Returns whether an operator buffers rows for a larger batch. */
  boolean hasBufferedRows() {
    return firstBuffering(lastFinished()) != null;
  }

  /** Lets the first operator that buffers rows emit them; returns whether there was one. */
  boolean flush() {
    return flushBehind(lastFinished());
  }

  /** Does the same as {@link #flush} with the operators after an index. */
  boolean flushBehind(int index) {
    Operator buffering = firstBuffering(index);
    if (buffering != null) {
      buffering.flush();
    }
    return buffering != null;
  }

  private Operator firstBuffering(int index) {
    for (int i = index + 1; i < operators.size(); i++) {
      if (operators.get(i).hasBufferedRows()) {
        return operators.get(i);
      }
    }
    return null;
  }

  /** Returns the last operator that has finished, -1 for none: rows before it are not needed. */
  private int lastFinished() {
    for (int i = operators.size() - 1; i >= 0; i--) {
      if (operators.get(i).isFinished()) {
        return i;
      }
    }
    return -1;
  }

  /** Closes the batches before an operator that has finished; returns whether there were any. */
  private boolean dropBefore(int ended) {
    Closer closer = new Closer();
    boolean any = input != null;
    closer.close(input);
    input = null;
    for (int i = 0; i <= ended; i++) {
      any |= retries[i] != null;
      closer.close(retries[i]);
      retries[i] = null;
      calls[i] = null;
    }
    closer.rethrow();
    if (finishing && finishedCalls <= ended) {
      finishedCalls = ended + 1;
      finishCall = null;
    }
    return any;
  }

  /** Offers a batch again that found no memory; returns whether there was one to offer. */
  private boolean retry(int index) {
    OutOfMemoryRetry retry = retries[index];
    if (retry == null || !retry.isDue() || !takesInput(index)) {
      return false;
    }
    activate(index);
    ThreadRecord thread = ThreadRecord.current();
    boolean before = thread.mayWait(false);
    try {
      RecordBatch rows = nextOf(retry);
      thread.mayWait(index == operators.size());
      if (rows != null && give(index, rows)) {
        retry.succeeded();
        retries[index] = retry.isOver() ? null : retry;
      }
    } finally {
      thread.mayWait(before);
    }
    return true;
  }

  /** Returns the next rows of a retry; null while there is no memory to read them back. */
  private static RecordBatch nextOf(OutOfMemoryRetry retry) {
    try {
      return retry.next();
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !retry.postpone()) {
        throw e;
      }
      return null;
    }
  }

  /** Returns what an operator waits for, or a failed future; null if none waits. */
  CompletableFuture<Void> blockedOn() {
    return blockedBehind(lastFinished());
  }

  /** Returns what an operator after an index waits for, as {@link #blockedOn}. */
  CompletableFuture<Void> blockedBehind(int index) {
    for (int i = index + 1; i < operators.size(); i++) {
      CompletableFuture<Void> blocked = operators.get(i).isBlocked();
      if (!blocked.isDone() || blocked.isCompletedExceptionally()) {
        return blocked;
      }
    }
    CompletableFuture<Void> pause = finishedCalls > index ? unfinished(null, finishCall) : null;
    for (int i = retries.length - 1; i > index; i--) {
      pause = unfinished(unfinished(pause, calls[i]), retries[i]);
    }
    return pause;
  }

  /** Prefers a pause that is not over: a driver that waits for a completed future spins. */
  private static CompletableFuture<Void> unfinished(
      CompletableFuture<Void> pause, OutOfMemoryRetry retry) {
    boolean isOpen = pause != null && !pause.isDone();
    return retry == null || isOpen ? pause : retry.pause();
  }

  /** Returns whether a call found no memory and is to be repeated. */
  boolean isRetrying() {
    if (finishCall != null) {
      return true;
    }
    for (int i = 0; i < retries.length; i++) {
      if (retries[i] != null || calls[i] != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns an error if batches are left although {@link #step} had nothing to do and no operator
   * blocks; else null.
   */
  EngineException stuck() {
    if (input != null) {
      return stuck("takes no input, yields no output and is not blocked", 0);
    }
    for (int i = lastFinished() + 1; finishing && i < operators.size(); i++) {
      if (!operators.get(i).isFinished()) {
        return stuck("was told to finish, yields no output and is not blocked", i);
      }
    }
    return null;
  }

  /** Returns whether the last transform may have output that leaves the pipeline now. */
  boolean hasOutput() {
    if (sink != null || operators.isEmpty()) {
      return false;
    }
    Operator last = operators.get(operators.size() - 1);
    return !last.needsInput() && !last.isFinished();
  }

  /** Returns whether an operator needs no more input although more may follow. */
  boolean isSaturated() {
    for (int i = finishedCalls; i < operators.size(); i++) {
      if (operators.get(i).isFinished()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the index of the operator called last. */
  int activeIndex() {
    return active;
  }

  /** Returns the name, in messages, of the operator called last. */
  String active() {
    if (active == plan.transforms().size()) {
      return sink == null ? "output" : OutOfMemoryReport.nameOf(sink, plan.sink().nodeId());
    }
    PipelinePlan.Transform transform = plan.transforms().get(active);
    Object operator = active < operators.size() ? operators.get(active) : transform.factory();
    return OutOfMemoryReport.nameOf(operator, nodes.nodeOf(active));
  }

  /** Passes ownership of the sink's local state to the caller. */
  SinkState takeLocal() {
    SinkState taken = local;
    local = null;
    return taken;
  }

  /** Closes the operators and the local state; idempotent. */
  @Override
  public void close() {
    Closer closer = new Closer();
    if (input != null) {
      closer.close(input);
      input = null;
    }
    for (OutOfMemoryRetry retry : retries) {
      closer.close(retry);
    }
    retries = new OutOfMemoryRetry[] {};
    calls = new OutOfMemoryRetry[] {};
    operators.forEach(closer::close);
    operators.clear();
    if (local != null) {
      closer.close(takeLocal());
    }
    closer.rethrow();
  }

  private boolean accepts(int index) {
    return retries[index] == null && takesInput(index);
  }

  private boolean takesInput(int index) {
    if (index == operators.size()) {
      return true;
    }
    Operator operator = operators.get(index);
    return operator.needsInput() || operator.isFinished();
  }

  /** Returns the next output of an operator; null if there is none, or no memory for it. */
  private RecordBatch poll(int index) {
    if (isPaused(calls[index])) {
      return null;
    }
    activate(index);
    long start = System.nanoTime();
    RecordBatch batch = null;
    try {
      batch = operators.get(index).getOutput();
      calls[index] = null;
    } catch (EngineException e) {
      calls[index] = repeatLater(calls[index], operators.get(index).mayRepeat(), e);
    }
    nodes.addNanos(index, start);
    if (batch != null) {
      nodes.addOutput(index, batch);
    }
    return batch;
  }

  /** Returns whether a call found no memory and its pause is not over. */
  private static boolean isPaused(OutOfMemoryRetry call) {
    return call != null && !call.isDue();
  }

  /**
   * Schedules a call that found no memory to be repeated; throws if it may not be repeated.
   *
   * @param before the retry of the same call; null the first time
   */
  private OutOfMemoryRetry repeatLater(
      OutOfMemoryRetry before, boolean mayRepeat, EngineException reason) {
    OutOfMemoryRetry retry = before == null ? OutOfMemoryRetry.ofCall(retryPauseMillis) : before;
    CompletableFuture<Void> unused = retry.postponeCall(mayRepeat, reason);
    return retry;
  }

  private void pass(int index, RecordBatch batch, Consumer<RecordBatch> output) {
    activate(index);
    if (index == operators.size() && local == null) {
      output.accept(batch);
    } else {
      give(index, batch);
    }
  }

  /** Gives a batch to an operator or the local state; returns false if it found no memory. */
  private boolean give(int index, RecordBatch batch) {
    long start = System.nanoTime();
    boolean isTaken = true;
    try {
      if (index == operators.size()) {
        local.addInput(batch);
      } else if (operators.get(index).needsInput()) {
        operators.get(index).addInput(onHost.get(index) ? toHost(batch) : batch);
      } else {
        batch.close();
      }
    } catch (EngineException e) {
      RecordBatch refused = e.code() == ErrorCode.OUT_OF_MEMORY ? takeUnprocessed(index) : null;
      if (refused == null) {
        throw e;
      }
      isTaken = false;
      refuse(index, refused, e);
    }
    nodes.addNanos(index, start);
    return isTaken;
  }

  private RecordBatch toHost(RecordBatch batch) {
    return context.transfer().toHost(batch);
  }

  private RecordBatch takeUnprocessed(int index) {
    return index == operators.size()
        ? local.takeUnprocessed()
        : operators.get(index).takeUnprocessed();
  }

  /**
   * Keeps a batch that found no memory in order to offer it again; throws once all attempts have
   * failed.
   */
  private void refuse(int index, RecordBatch batch, EngineException reason) {
    if (retries[index] == null) {
      retries[index] = new OutOfMemoryRetry(queue, context.allocator(), retryPauseMillis);
    }
    if (retries[index].add(batch)) {
      return;
    }
    boolean mayBeOnHost =
        index < operators.size()
            && context.backend().tier() != MemoryTier.HOST
            && plan.transforms().get(index).factory().isReplaceable();
    if (!mayBeOnHost || onHost.get(index)) {
      String tried = onHost.get(index) ? ", by the host's kernels too" : "";
      throw retries[index].failure(reason, tried);
    }
    Operator onDevice =
        operators.set(index, plan.transforms().get(index).factory().create(context.onHost()));
    onHost.set(index);
    retries[index].restart();
    onDevice.close();
  }

  /** Notes the index of the operator called next. */
  void activate(int index) {
    active = index;
    nodes.workOn(index);
  }

  /**
   * Finishes the next operator, once all before it have finished; then the local state. Returns
   * whether that did anything.
   */
  private boolean finishNext() {
    int next = finishedCalls;
    if (retries[next] != null || isPaused(finishCall)) {
      return false;
    }
    if (next > 0 && !operators.get(next - 1).isFinished()) {
      return false;
    }
    if (next == operators.size()) {
      return finishLocal();
    }
    activate(next);
    try {
      operators.get(next).finish();
    } catch (EngineException e) {
      finishCall = repeatLater(finishCall, operators.get(next).mayRepeat(), e);
      return false;
    }
    finishCall = null;
    finishedCalls++;
    return true;
  }

  /** Does the next step of finishing the local state; returns whether there was one. */
  private boolean finishLocal() {
    if (local == null || localFinished) {
      return false;
    }
    activate(operators.size());
    long start = System.nanoTime();
    boolean isDone = true;
    try {
      localFinished = local.finish();
      finishCall = null;
    } catch (EngineException e) {
      finishCall = repeatLater(finishCall, local.mayRepeat(), e);
      isDone = false;
    }
    nodes.addNanos(operators.size(), start);
    return isDone;
  }

  private EngineException stuck(String problem, int index) {
    String name = operators.get(index).getClass().getName();
    return new EngineException(ErrorCode.INTERNAL, "operator " + name + " " + problem);
  }
}
