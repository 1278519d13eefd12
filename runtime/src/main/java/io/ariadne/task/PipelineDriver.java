package io.ariadne.task;

import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One thread of work through a pipeline: an instance of each transform and the sink's local state.
 *
 * <p>Used by one thread at a time. Created as an empty shell; {@link #open} makes the operators.
 */
final class PipelineDriver implements AutoCloseable {
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

  /** Which operator was called last, the sink's state after the last one. */
  private int active;

  /** By operator, the sink's state last, what memory was refused for; null where nothing was. */
  private OutOfMemoryRetry[] retries = {};

  /** Operators whose work the host's back end does, because there is no memory for kernels. */
  private final BitSet onHost = new BitSet();

  private OperatorContext context;
  private BatchQueue queue;

  /**
   * Creates the shell.
   *
   * @param plan the pipeline
   * @param sink its sink, or null; stays owned by the caller
   * @param metrics figures by plan node
   */
  PipelineDriver(PipelinePlan plan, SinkOperator sink, Map<Integer, NodeMetrics> metrics) {
    this.plan = plan;
    this.sink = sink;
    this.nodes = new DriverNodes(plan, metrics);
  }

  /**
   * Makes the operators unless that has happened; when it throws, {@link #close} frees the rest.
   */
  void open(OperatorContext runtime) {
    if (opened) {
      return;
    }
    opened = true;
    context = runtime;
    queue = new BatchQueue(context);
    retries = new OutOfMemoryRetry[plan.transforms().size() + 1];
    for (PipelinePlan.Transform transform : plan.transforms()) {
      active = operators.size();
      operators.add(transform.factory().create(context));
    }
    active = operators.size();
    local = sink == null ? null : sink.newLocal();
  }

  /** Gives the driver its next batch; the one before must be used up. */
  void offer(RecordBatch batch) {
    if (input != null || finishing) {
      batch.close();
      throw new IllegalStateException("the driver cannot take a batch now");
    }
    input = batch;
  }

  /** Says that no more batches come. */
  void finish() {
    finishing = true;
  }

  /**
   * Does one small piece of work: passes one batch one operator further.
   *
   * @param output takes what leaves the last transform when there is no sink
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

  /** Does a piece of work as {@link #step}, but only with what is behind an operator. */
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

  /** Returns whether an operator behind one has ended: nobody wants what comes through that. */
  boolean hasEndedBehind(int index) {
    return lastFinished() > index;
  }

  /** Returns whether an operator keeps rows back to make larger batches of them. */
  boolean hasBufferedRows() {
    return firstKeepingBack(lastFinished()) != null;
  }

  /** Has the first operator that keeps rows back put them out; returns whether there was one. */
  boolean flush() {
    return flushBehind(lastFinished());
  }

  /** Does the same with the operators behind one. */
  boolean flushBehind(int index) {
    Operator keeping = firstKeepingBack(index);
    if (keeping != null) {
      keeping.flush();
    }
    return keeping != null;
  }

  private Operator firstKeepingBack(int index) {
    for (int i = index + 1; i < operators.size(); i++) {
      if (operators.get(i).hasBufferedRows()) {
        return operators.get(i);
      }
    }
    return null;
  }

  /** Returns the last operator that has no more output, -1 for none: nobody asks those before. */
  private int lastFinished() {
    for (int i = operators.size() - 1; i >= 0; i--) {
      if (operators.get(i).isFinished()) {
        return i;
      }
    }
    return -1;
  }

  /** Drops what was to go through an operator that has ended; returns whether there was any. */
  private boolean dropBefore(int ended) {
    Closer closer = new Closer();
    boolean any = input != null;
    closer.close(input);
    input = null;
    for (int i = 0; i <= ended; i++) {
      any |= retries[i] != null;
      closer.close(retries[i]);
      retries[i] = null;
    }
    closer.rethrow();
    if (finishing) {
      finishedCalls = Math.max(finishedCalls, ended + 1);
    }
    return any;
  }

  /** Tries again what an operator was refused memory for; returns whether there was anything. */
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

  /** Returns the next rows; null when there is no memory to read them back yet. */
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

  /** Returns what an operator waits for, or what failed meanwhile; null when none waits. */
  CompletableFuture<Void> blockedOn() {
    return blockedBehind(lastFinished());
  }

  /** Returns the same of the operators behind one. */
  CompletableFuture<Void> blockedBehind(int index) {
    for (int i = index + 1; i < operators.size(); i++) {
      CompletableFuture<Void> blocked = operators.get(i).isBlocked();
      if (!blocked.isDone() || blocked.isCompletedExceptionally()) {
        return blocked;
      }
    }
    for (int i = index + 1; i < retries.length; i++) {
      if (retries[i] != null) {
        return retries[i].pause();
      }
    }
    return null;
  }

  /**
   * Returns the error that something is left when {@link #step} had nothing to do and nothing
   * blocks; null when nothing is.
   */
  EngineException left() {
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

  /** Returns whether an operator wants no more input although more may come. */
  boolean isSaturated() {
    for (int i = finishedCalls; i < operators.size(); i++) {
      if (operators.get(i).isFinished()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of the operator that was called last, that of the state after the last. */
  int activeIndex() {
    return active;
  }

  /** Returns how messages call what was called last. */
  String active() {
    if (active == plan.transforms().size()) {
      return sink == null ? "output" : OutOfMemoryReport.nameOf(sink, plan.sink().nodeId());
    }
    PipelinePlan.Transform transform = plan.transforms().get(active);
    Object operator = active < operators.size() ? operators.get(active) : transform.factory();
    return OutOfMemoryReport.nameOf(operator, nodes.nodeOf(active));
  }

  /** Hands the sink's local state to the caller. */
  SinkState takeLocal() {
    SinkState taken = local;
    local = null;
    return taken;
  }

  /** Frees the operators and the local state; idempotent. */
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

  private RecordBatch poll(int index) {
    activate(index);
    long start = System.nanoTime();
    RecordBatch batch = operators.get(index).getOutput();
    nodes.addNanos(index, start);
    if (batch != null) {
      nodes.addOutput(index, batch);
    }
    return batch;
  }

  private void pass(int index, RecordBatch batch, Consumer<RecordBatch> output) {
    activate(index);
    if (index == operators.size() && local == null) {
      output.accept(batch);
    } else {
      give(index, batch);
    }
  }

  /** Gives an operator or the state a batch; returns false when it must be tried again. */
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

  /** Keeps a batch for which there was no memory, to be tried again; or throws. */
  private void refuse(int index, RecordBatch batch, EngineException reason) {
    if (retries[index] == null) {
      retries[index] = new OutOfMemoryRetry(queue, context.allocator());
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
        operators.set(index, plan.transforms().get(index).factory().create(hostContext()));
    onHost.set(index);
    retries[index].restart();
    onDevice.close();
  }

  private OperatorContext hostContext() {
    return new OperatorContext(
        context.allocator(),
        context.allocator(),
        HostBackend.open(),
        context.cancelled(),
        context.errorReplay(),
        context.spill(),
        context.spill(),
        context.threadCount());
  }

  /** Notes which operator is called next, the sink's state after the last one. */
  void activate(int index) {
    active = index;
    nodes.workOn(index);
  }

  /** Calls finish of the next operator whose predecessors have no more output, then the state's. */
  private boolean finishNext() {
    int next = finishedCalls;
    if (retries[next] != null) {
      return false;
    }
    if (next > 0 && !operators.get(next - 1).isFinished()) {
      return false;
    }
    if (next == operators.size()) {
      return finishLocal();
    }
    activate(next);
    operators.get(next).finish();
    finishedCalls++;
    return true;
  }

  /** Lets the sink's local state do the next part of its end; returns whether there was one. */
  private boolean finishLocal() {
    if (local == null || localFinished) {
      return false;
    }
    activate(operators.size());
    long start = System.nanoTime();
    localFinished = local.finish();
    nodes.addNanos(operators.size(), start);
    return true;
  }

  private EngineException stuck(String what, int index) {
    String name = operators.get(index).getClass().getName();
    return new EngineException(ErrorCode.INTERNAL, "operator " + name + " " + what);
  }
}
