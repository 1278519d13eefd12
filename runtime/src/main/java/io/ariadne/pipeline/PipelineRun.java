package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.fragment.admission.InFlightBudget;
import io.ariadne.fragment.control.FragmentControl;
import io.ariadne.fragment.control.FragmentSettings;
import io.ariadne.fragment.control.OutOfMemoryReport;
import io.ariadne.fragment.memory.BatchMemory;
import io.ariadne.fragment.memory.PipelineMemory;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A pipeline of a running fragment. Admits batches and splits within limits, queues work items for
 * its drivers, and moves from phase to phase:
 *
 * <ol>
 *   <li>streaming: batches and splits pass through the drivers;
 *   <li>finishing drivers: the input has ended, each driver is flushed and the sink's local states
 *       finish, in parallel;
 *   <li>finishing the sink: local states are combined into the sink one by one, then the sink
 *       finishes;
 *   <li>done: the next pipeline reads the sink.
 * </ol>
 *
 * <p>Everything here is guarded by the fragment's lock ({@link FragmentControl}) unless it says
 * otherwise.
 */
public final class PipelineRun {
  private enum Phase {
    /** Batches and splits pass through the drivers. */
    STREAMING,
    /** The input has ended; transforms emit what they buffer, local states finish. */
    FINISHING_DRIVERS,
    /** Local states are combined into the sink. */
    FINISHING_SINK,
    /** No work is left. */
    DONE
  }

  /** The input in use of a pipeline takes at most the memory divided by this. */
  private static final int LARGEST_INPUT_SHARE = 4;

  /** How long a driver may be stalled before it fails. */
  private static final long LONGEST_STALL_MILLIS = 10_000;

  private final FragmentControl control;
  private final PipelinePlan plan;
  private final OperatorContext context;
  private final Map<Integer, NodeMetrics> metrics;
  private final int distance;
  private final SinkOperator sink;
  private final BatchQueue queue;
  private final InFlightBudget inFlightBudget;
  private final InFlightBatches inFlightBatches;
  private final RunningSplits splits;
  private final PipelineMemory memory;
  private final long retryPauseMillis;
  private final Deque<InFlightBatch> pending = new ArrayDeque<>();
  private final DriverPool drivers;
  private final StreamFailure failure = new StreamFailure();
  private final List<PipelineRun> builds = new ArrayList<>();
  private PipelineRun source;
  private SplitSupplier splitSupplier;
  private PipelineRun consumer;
  private Phase phase = Phase.STREAMING;
  private boolean exhausted;
  private boolean isPulling;
  private volatile boolean sinkClosed;

  /**
   * Creates the run and its sink, without the lock.
   *
   * @param plan the pipeline
   * @param distance number of sinks between its end and the fragment's output
   * @param control the fragment's control
   * @param context context of its operators
   * @param metrics metrics by plan node id
   * @param settings limits and resources of the fragment
   */
  public PipelineRun(
      PipelinePlan plan,
      int distance,
      FragmentControl control,
      OperatorContext context,
      Map<Integer, NodeMetrics> metrics,
      FragmentSettings settings) {
    this.plan = plan;
    this.distance = distance;
    this.control = control;
    this.context = context;
    this.metrics = metrics;
    this.queue = new BatchQueue(context);
    this.inFlightBudget = inFlightBudget(plan, settings, queue);
    this.inFlightBatches =
        new InFlightBatches(settings.limits(), inFlightBudget, queue, control::isTaskActive);
    this.splits = new RunningSplits(settings.shared().splitMemory());
    this.memory = new PipelineMemory(settings.shared().peaks().of(plan), context);
    this.retryPauseMillis = settings.retryPauseMillis();
    this.sink = plan.sink() == null ? null : plan.sink().factory().create(context);
    int mostDrivers = Math.min(plan.threads(), control.executor().threadCount());
    long stallMillis = Math.min(LONGEST_STALL_MILLIS, settings.limits().reportMillis());
    this.drivers =
        new DriverPool(
            mostDrivers,
            () -> new PipelineDriver(plan, sink, metrics, stallMillis, retryPauseMillis));
  }

  /**
   * Returns the budget of input in use and output. The task pulls its own input, when it has no
   * output to take: this needs no further limit. Input may exceed the share of a fragment only
   * where a memory space tells when it is scarce.
   */
  private static InFlightBudget inFlightBudget(
      PipelinePlan plan, FragmentSettings settings, BatchQueue queue) {
    long bytes = settings.limits().bytesInFlight();
    long capacity =
        Math.min(settings.spill().capacityInBytes(), settings.kernelSpill().capacityInBytes());
    if (plan.input() instanceof PipelineInput.TaskInput || capacity == Long.MAX_VALUE) {
      return InFlightBudget.fixed(bytes);
    }
    long all = bytes * settings.executor().threadCount();
    long most = Math.max(bytes, Math.min(all, capacity / LARGEST_INPUT_SHARE));
    return new InFlightBudget(bytes, most, queue::isScarce, System::nanoTime);
  }

  /** Makes this pipeline read the sink of an earlier one. */
  public void connect(PipelineRun earlier) {
    source = earlier;
    earlier.consumer = this;
  }

  /** Makes this pipeline wait for the sink of an earlier one, whose result its transforms use. */
  public void use(PipelineRun earlier) {
    builds.add(earlier);
    earlier.consumer = this;
  }

  /**
   * Closes the sinks that the transforms used; called without the lock, when all drivers are
   * closed.
   */
  void closeBuilds() {
    builds.forEach(PipelineRun::closeSink);
  }

  /** Returns whether everything is complete that the transforms use. */
  private boolean isReady() {
    return builds.stream().allMatch(build -> build.phase == Phase.DONE);
  }

  /** Makes this pipeline read splits of a scan or of a sink; takes ownership of the supplier. */
  public void read(SplitSupplier scan) {
    splitSupplier = scan;
  }

  /** Returns the plan of the pipeline; needs no lock. */
  public PipelinePlan plan() {
    return plan;
  }

  /** Returns the supplier of splits, or null; needs no lock. */
  SplitSupplier splitSupplier() {
    return splitSupplier;
  }

  FragmentControl control() {
    return control;
  }

  /** Returns the memory estimates of the pipeline; needs no lock. */
  PipelineMemory memory() {
    return memory;
  }

  /** Returns the context of operators; needs no lock. */
  OperatorContext context() {
    return context;
  }

  int distance() {
    return distance;
  }

  /** Returns a new retry of calls that take no batch; needs no lock. */
  OutOfMemoryRetry newCallRetry() {
    return OutOfMemoryRetry.ofCall(retryPauseMillis);
  }

  /** Returns the sink, or null; needs no lock. */
  SinkOperator sink() {
    return sink;
  }

  /** Returns the name of the sink in messages; needs no lock. */
  String sinkName() {
    return OutOfMemoryReport.nameOf(sink, plan.sink().nodeId());
  }

  /** Returns the metrics of the sink's node; needs no lock. */
  NodeMetrics sinkMetrics() {
    return metrics.get(plan.sink().nodeId());
  }

  /** Returns whether the task thread should pull this pipeline's input now. */
  public boolean wantsInput() {
    return plan.input() instanceof PipelineInput.TaskInput && !exhausted && isReady() && mayAdmit();
  }

  /** Returns whether any driver works; a driver that has failed counts as well. */
  public boolean isBusy() {
    return drivers.isBusy();
  }

  /** Returns whether all work is done and, in the last pipeline, all output was polled. */
  public boolean isDone() {
    return phase == Phase.DONE && inFlightBatches.isEmpty();
  }

  /**
   * Admits a batch of the input, and gives it to a driver as soon as one is idle. Takes ownership.
   */
  public void admit(RecordBatch batch) {
    admitIfWanted(batch);
    advance();
  }

  /** Admits a batch, or closes it if the pipeline needs no more input. */
  private void admitIfWanted(RecordBatch batch) {
    if (failure.isSet() || exhausted) {
      batch.close();
      return;
    }
    InFlightBatch inFlight = inFlightBatches.admit(batch);
    if (plan.transforms().isEmpty() && sink == null) {
      inFlight.passThrough();
      inFlightBatches.complete(inFlight);
    } else {
      pending.add(inFlight);
    }
  }

  /**
   * Admits the next split and takes ownership of it.
   *
   * @param split the split, or null at the end
   * @param bytes memory that the split holds
   */
  void splitPulled(Split split, long bytes) {
    isPulling = false;
    if (split == null) {
      exhausted = true;
    } else if (failure.isSet() || exhausted) {
      splitSupplier.drop(split);
    } else {
      pending.add(inFlightBatches.admit(split, bytes));
    }
    advance();
  }

  /** Returns whether more output of an in-flight batch is needed: no earlier one has failed. */
  boolean wants(InFlightBatch inFlight) {
    return failure.isAfter(inFlight.sequence());
  }

  /**
   * Returns null if a driver may emit its next batch; else a future that completes when it may, or
   * when its output is not wanted any more. Acquires the lock.
   */
  CompletableFuture<Void> backPressure(InFlightBatch inFlight) {
    control.lock();
    try {
      return !wants(inFlight) || inFlightBatches.mayEmit(inFlight) ? null : inFlight.pause();
    } finally {
      control.unlock();
    }
  }

  /** Sets the memory of a split's batch that its driver holds now. */
  void setHeldMemory(InFlightBatch inFlight, BatchMemory memory) {
    inFlight.setInputMemory(memory);
    if (!control.isStopped()) {
      startPending();
    }
    inFlightBatches.resume(this::wants);
  }

  /** Notes that the input has ended. */
  public void endInput() {
    exhausted = true;
    advance();
  }

  /**
   * Notes that the input failed: this counts as after all batches that it has yielded, if more were
   * needed.
   */
  public void inputFailed(Throwable problem) {
    if (!exhausted) {
      failAt(inFlightBatches.nextSequence(), problem);
    }
  }

  /**
   * Notes that a batch, split or flush failed, and drops later ones. The fragment fails once all
   * earlier ones and the failed one's output have left the pipeline and no earlier one has failed.
   * So the task sees the failure that a single thread would have hit, after the output that it
   * would have yielded.
   *
   * <p>The driver stays busy for ever, because the state of its operators is unknown.
   *
   * @param sequence sequence number of the failed batch, split or flush
   * @param problem what was thrown
   */
  void failAt(long sequence, Throwable problem) {
    if (failure.set(sequence, problem)) {
      dropPending(sequence);
      failWhenDue();
      inFlightBatches.resume(this::wants);
    }
  }

  private void failWhenDue() {
    Throwable due = failure.due(inFlightBatches.first());
    if (due != null) {
      control.fail(due);
    }
  }

  /**
   * Queues all work that has become possible and enters the next phase if the current one is
   * complete.
   */
  public void advance() {
    startPending();
    pull();
    inFlightBatches.resume(this::wants);
    if (phase == Phase.STREAMING
        && isReady()
        && exhausted
        && pending.isEmpty()
        && !drivers.isBusy()) {
      phase = Phase.FINISHING_DRIVERS;
      finishDrivers();
    }
    if (phase == Phase.FINISHING_DRIVERS && !drivers.isBusy()) {
      phase = sink == null ? Phase.DONE : Phase.FINISHING_SINK;
      if (sink != null) {
        control.submit(new SinkFinishWork(this));
      }
    }
  }

  /** Queues work on the batches and splits that may start. */
  private void startPending() {
    while (!pending.isEmpty()
        && drivers.hasFree(() -> !queue.isScarce())
        && phase == Phase.STREAMING
        && mayStart(pending.element())) {
      queue(drivers.take(), pending.remove());
    }
  }

  /** Prepares a batch on a preload thread; returns a future that completes afterwards. */
  CompletableFuture<Void> load(InFlightBatch inFlight) {
    if (!inFlight.isLoading()) {
      control.submit(new LoadWork(this, inFlight));
    }
    return inFlight.load();
  }

  /**
   * Returns whether memory allows to start a batch or split; acquires the memory of a split. A
   * further split whose output would have to wait is not started: it would hold memory meanwhile.
   */
  private boolean mayStart(InFlightBatch inFlight) {
    return inFlight.split() == null
        || ((splits.isEmpty() || inFlightBatches.hasBudget()) && splits.start(inFlight));
  }

  private void queue(PipelineDriver driver, InFlightBatch inFlight) {
    control.submit(
        inFlight.split() == null
            ? new BatchWork(this, driver, inFlight)
            : new SplitWork(this, driver, inFlight));
  }

  /**
   * Queues a pull of the input if more is needed; an input of the task is pulled by the task thread
   * instead.
   */
  private void pull() {
    if (isPulling || exhausted || !isReady() || !mayAdmit()) {
      return;
    }
    if (splitSupplier != null) {
      isPulling = pending.isEmpty();
      if (isPulling) {
        control.submit(new SplitPullWork(this));
      }
    } else if (source != null && source.phase == Phase.DONE) {
      isPulling = true;
      control.submit(new SinkOutputWork(source, this));
    }
  }

  private void finishDrivers() {
    if (!plan.transforms().isEmpty()) {
      drivers.makeOne();
    }
    for (PipelineDriver driver = drivers.takeIdle(); driver != null; driver = drivers.takeIdle()) {
      queue(driver, inFlightBatches.admitFlush());
    }
  }

  /** Adds output of a driver and takes ownership of it; the fragment is not stopped. */
  void emit(InFlightBatch inFlight, RecordBatch output) {
    inFlightBatches.add(inFlight, output);
    control.signal();
  }

  /**
   * Returns the queued batch that directly follows an in-flight batch, if the same driver may
   * continue with it; else null.
   */
  InFlightBatch nextInOrder(InFlightBatch inFlight) {
    InFlightBatch next = pending.peek();
    boolean follows =
        next != null && next.split() == null && next.sequence() == inFlight.sequence() + 1;
    boolean isFree = follows && !next.isPrepared() && !memory.isScarce();
    return isFree && !control.isStopped() ? next : null;
  }

  /** Notes that a driver has used up a batch and continues with its {@link #nextInOrder}. */
  void advancePast(InFlightBatch inFlight) {
    pending.remove();
    inFlightBatches.complete(inFlight);
    failWhenDue();
    advance();
    control.signal();
  }

  /** Notes that a driver begins to wait for an operator, or ends waiting. */
  void driverBlocked(boolean isBlocked) {
    drivers.setBlocked(isBlocked);
    if (isBlocked && !control.isStopped()) {
      advance();
    }
  }

  /** Notes that a driver has used up its in-flight batch. */
  void driverFinished(PipelineDriver driver, InFlightBatch inFlight) {
    inFlightBatches.complete(inFlight);
    splits.end(inFlight);
    if (inFlight.isFlush()) {
      drivers.finish(driver);
    } else {
      drivers.free(driver);
      if (drivers.isSingle() && driver.isSaturated()) {
        saturated(inFlight.sequence());
      }
    }
    failWhenDue();
    advance();
  }

  /** Notes that no batch after this one is needed: a single thread would not have pulled any. */
  private void saturated(long sequence) {
    exhausted = true;
    dropPending(sequence);
    failure.clear();
  }

  /** Returns a driver whose local state is to be combined, or null if none is left. */
  PipelineDriver pollFinishedDriver() {
    return drivers.pollFinished();
  }

  /** Makes the next pipeline read the sink's output as splits, of which it takes ownership. */
  void handOverSplits(SplitSource splits) {
    consumer.read(new SplitSupplier(splits, plan.sink().nodeId(), sinkMetrics()));
  }

  /**
   * Notes that the sink has finished.
   *
   * @param skipsInput whether the pipeline that uses the sink needs no input, because it would
   *     yield nothing
   */
  void sinkFinished(boolean skipsInput) {
    phase = Phase.DONE;
    consumer.exhausted |= skipsInput;
    consumer.advance();
  }

  /**
   * Admits what a pull from the earlier sink returned.
   *
   * @param batch a batch, or null
   * @param ended whether the sink has no more output
   */
  void pulled(RecordBatch batch, boolean ended) {
    isPulling = false;
    if (batch != null) {
      admitIfWanted(batch);
    }
    exhausted |= ended;
    advance();
  }

  /**
   * Returns the next batch of the fragment's output, owned by the caller, or null if there is none
   * now.
   */
  public QueuedBatch poll() {
    QueuedBatch output = inFlightBatches.poll(plan.ordered());
    if (output != null) {
      failWhenDue();
      advance();
    } else if (inFlightBudget.foundNone()) {
      advance();
    }
    return output;
  }

  /** Closes everything; called without the lock, when no work runs any more. */
  public void close(Closer closer) {
    inFlightBatches.close(closer);
    drivers.close(closer);
    closer.close(this::closeSink);
    splits.endAll();
    if (splitSupplier != null) {
      splitSupplier.close(closer);
    }
  }

  /** Describes the state in one line. */
  public String describe() {
    String from = source != null ? "a sink" : splitSupplier != null ? "a scan" : "a task input";
    return "reads "
        + from
        + (exhausted ? ", which has ended" : "")
        + (isPulling ? ", being pulled" : "")
        + failure
        + "; "
        + phase
        + "; in flight "
        + inFlightBatches
        + ", "
        + pending.size()
        + " wait for a driver; "
        + drivers
        + splits;
  }

  /**
   * Closes the sink unless it is closed; called by one work item at a time, or when no work runs.
   */
  void closeSink() {
    if (sink != null && !sinkClosed) {
      sinkClosed = true;
      sink.close();
    }
  }

  private boolean mayAdmit() {
    return !failure.isSet() && inFlightBatches.mayAdmit();
  }

  /** Drops queued batches and splits from a sequence number on. */
  private void dropPending(long from) {
    while (!pending.isEmpty() && pending.getLast().sequence() >= from) {
      InFlightBatch inFlight = inFlightBatches.remove(pending.removeLast());
      if (inFlight.split() == null) {
        inFlightBatches.drop(inFlight);
      } else {
        splitSupplier.drop(inFlight.takeSplit());
      }
    }
  }
}
