package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.fragment.control.FragmentControl;
import io.ariadne.fragment.control.FragmentSettings;
import io.ariadne.fragment.control.OutOfMemoryReport;
import io.ariadne.fragment.memory.BatchMemory;
import io.ariadne.fragment.memory.TaskMemory;
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
 * A pipeline of a running fragment: what it has let in, its drivers, and how far it is.
 *
 * <p>Everything here is guarded by the fragment's lock unless it says otherwise.
 */
public final class PipelineRun {
  private enum Phase {
    /** Batches go through the drivers. */
    STREAMING,
    /** The input has ended; transforms yield what they kept, local states end. */
    FINISHING_DRIVERS,
    /** Local states go into the sink. */
    FINISHING_SINK,
    /** No more work. */
    DONE
  }

  /** How long a driver may have work without an operator doing any. */
  private static final long LONGEST_STALL_MILLIS = 10_000;

  private final FragmentControl control;
  private final PipelinePlan plan;
  private final OperatorContext context;
  private final Map<Integer, NodeMetrics> metrics;
  private final int distance;
  private final SinkOperator sink;
  private final InFlightBatches inFlightBatches;
  private final RunningSplits splits;
  private final TaskMemory memory;
  private final Deque<InFlightBatch> pending = new ArrayDeque<>();
  private final DriverPool drivers;
  private final StreamFailure failure = new StreamFailure();
  private final List<PipelineRun> builds = new ArrayList<>();
  private PipelineRun source;
  private SplitSupplier feed;
  private PipelineRun consumer;
  private Phase phase = Phase.STREAMING;
  private boolean exhausted;
  private boolean pulling;
  private volatile boolean sinkClosed;

  /**
   * Creates the run and its sink, without the lock.
   *
   * @param plan what runs
   * @param distance how many sinks lie between its end and the fragment's output
   * @param control the fragment's lock and tasks
   * @param context for operators
   * @param metrics figures by plan node
   * @param settings bounds on what is in flight
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
    this.inFlightBatches =
        new InFlightBatches(settings.limits(), new BatchQueue(context), control::isNearTaskThread);
    this.splits = new RunningSplits(settings.shared().splitMemory());
    this.memory = new TaskMemory(settings.shared().peaks().of(plan), context);
    this.sink = plan.sink() == null ? null : plan.sink().factory().create(context);
    int mostDrivers = Math.min(plan.threads(), control.executor().threadCount());
    long stallMillis = Math.min(LONGEST_STALL_MILLIS, settings.limits().reportMillis());
    this.drivers =
        new DriverPool(mostDrivers, () -> new PipelineDriver(plan, sink, metrics, stallMillis));
  }

  /** Makes this pipeline read the sink of an earlier one. */
  public void connect(PipelineRun earlier) {
    source = earlier;
    earlier.consumer = this;
  }

  /** Makes this pipeline wait for the sink of an earlier one, which its transforms use. */
  public void use(PipelineRun earlier) {
    builds.add(earlier);
    earlier.consumer = this;
  }

  /** Frees what the transforms have used; without the lock, when all drivers are closed. */
  void closeBuilds() {
    builds.forEach(PipelineRun::closeSink);
  }

  /** Returns whether all is complete that the transforms use. */
  private boolean isReady() {
    return builds.stream().allMatch(build -> build.phase == Phase.DONE);
  }

  /** Makes this pipeline read splits, of a scan or of a sink, owned by it from now on. */
  public void read(SplitSupplier scan) {
    feed = scan;
  }

  public PipelinePlan plan() {
    return plan;
  }

  /** Returns the scan; without the lock. */
  SplitSupplier feed() {
    return feed;
  }

  FragmentControl control() {
    return control;
  }

  /** Returns what its batches are expected to take; without the lock. */
  TaskMemory memory() {
    return memory;
  }

  /** Returns the context for operators; without the lock. */
  OperatorContext context() {
    return context;
  }

  int distance() {
    return distance;
  }

  /** Returns the sink, or null; without the lock. */
  SinkOperator sink() {
    return sink;
  }

  /** Returns how messages call the sink; without the lock. */
  String sinkName() {
    return OutOfMemoryReport.nameOf(sink, plan.sink().nodeId());
  }

  /** Returns the figures of the sink's node; without the lock. */
  NodeMetrics sinkMetrics() {
    return metrics.get(plan.sink().nodeId());
  }

  /** Returns whether the task thread should pull this pipeline's input now. */
  public boolean wantsInput() {
    return plan.input() instanceof PipelineInput.TaskInput && !exhausted && isReady() && hasRoom();
  }

  /** Returns whether drivers are at work, or were when they failed. */
  public boolean isBusy() {
    return drivers.isBusy();
  }

  /** Returns whether all work is done and, at the fragment's end, all output was polled. */
  public boolean isDone() {
    return phase == Phase.DONE && inFlightBatches.isEmpty();
  }

  /** Takes a batch of the input and hands it to a driver as soon as one is idle. */
  public void admit(RecordBatch batch) {
    letIn(batch);
    advance();
  }

  /** Lets a batch in unless none is wanted any more. */
  private void letIn(RecordBatch batch) {
    if (failure.isSet() || exhausted) {
      batch.close();
      return;
    }
    InFlightBatch inFlight = inFlightBatches.admit(batch);
    if (plan.transforms().isEmpty() && sink == null) {
      inFlight.passOn();
      inFlightBatches.complete(inFlight);
    } else {
      pending.add(inFlight);
    }
  }

  /** Takes the next split of the scan, which holds so many bytes, or null at the end. */
  void splitPulled(Split split, long bytes) {
    pulling = false;
    if (split == null) {
      exhausted = true;
    } else if (failure.isSet() || exhausted) {
      feed.drop(split);
    } else {
      pending.add(inFlightBatches.admit(split, bytes));
    }
    advance();
  }

  /** Returns whether more of a split's output is wanted: no earlier part of the input failed. */
  boolean wants(InFlightBatch inFlight) {
    return failure.isBehind(inFlight.sequence());
  }

  /**
   * Returns null when a driver may yield its next batch, else a future that completes when it may,
   * or when that is not wanted any more. Takes the lock.
   */
  CompletableFuture<Void> roomFor(InFlightBatch inFlight) {
    control.lock();
    try {
      return !wants(inFlight) || inFlightBatches.mayYield(inFlight) ? null : inFlight.pause();
    } finally {
      control.unlock();
    }
  }

  /** Notes what memory of a split's output its driver holds now. */
  void driverHolds(InFlightBatch inFlight, BatchMemory memory) {
    inFlight.setInputMemory(memory);
    inFlightBatches.resume(this::wants);
  }

  /** Notes that the input has ended. */
  public void endInput() {
    exhausted = true;
    advance();
  }

  /** Notes that the input failed: after all batches it has yielded, if more were wanted. */
  public void inputFailed(Throwable problem) {
    if (!exhausted) {
      failAt(inFlightBatches.nextSequence(), problem);
    }
  }

  /**
   * Notes that a batch, split or flush failed. The fragment fails when all earlier ones and what
   * this one has yielded have left the pipeline and none of them has failed: with the failure that
   * one thread would have met, and after the output it would have yielded. Later ones are dropped.
   *
   * <p>The driver stays busy for ever: its operators are in an unknown state.
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

  /** Queues whatever can go on now. */
  public void advance() {
    while (!pending.isEmpty()
        && drivers.hasFree()
        && phase == Phase.STREAMING
        && mayStart(pending.element())) {
      queue(drivers.take(), pending.remove());
    }
    loadAhead();
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

  /** Has the batch read back that is next, if it has left memory and there is memory again. */
  private void loadAhead() {
    if (!pending.isEmpty() && pending.element().isToBeLoaded() && !inFlightBatches.isScarce()) {
      CompletableFuture<Void> unused = load(pending.element());
    }
  }

  /** Gets a batch ready; returns what is complete when it is. */
  CompletableFuture<Void> load(InFlightBatch inFlight) {
    if (!inFlight.isLoading()) {
      control.submit(new LoadWork(this, inFlight));
    }
    return inFlight.load();
  }

  /** Returns whether memory allows to start on a batch or split, and takes it. */
  private boolean mayStart(InFlightBatch inFlight) {
    return inFlight.split() == null || splits.start(inFlight);
  }

  private void queue(PipelineDriver driver, InFlightBatch inFlight) {
    control.submit(
        inFlight.split() == null
            ? new BatchWork(this, driver, inFlight)
            : new SplitWork(this, driver, inFlight));
  }

  /** Pulls the input, unless the task thread must, when it is wanted. */
  private void pull() {
    if (pulling || exhausted || !isReady() || !hasRoom()) {
      return;
    }
    if (feed != null) {
      pulling = pending.isEmpty();
      if (pulling) {
        control.submit(new SplitPullWork(this));
      }
    } else if (source != null && source.phase == Phase.DONE) {
      pulling = true;
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

  /** Adds output of a driver; the fragment is not stopped. */
  void emit(InFlightBatch inFlight, RecordBatch output) {
    inFlightBatches.add(inFlight, output);
    control.signal();
  }

  /**
   * Returns the batch right behind one that is being worked on, if it waits and its driver may go
   * on with it; null otherwise.
   */
  InFlightBatch follower(InFlightBatch inFlight) {
    InFlightBatch next = pending.peek();
    boolean follows =
        next != null && next.split() == null && next.sequence() == inFlight.sequence() + 1;
    boolean isFree = follows && !next.isPrepared() && !memory.isScarce();
    return isFree && !control.isStopped() ? next : null;
  }

  /** Notes that a driver has used up a batch and goes on with its {@link #follower}. */
  void follow(InFlightBatch inFlight) {
    pending.remove();
    inFlightBatches.complete(inFlight);
    failWhenDue();
    advance();
    control.signal();
  }

  /** Notes that a driver has used up what it was given. */
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

  /** Notes that no batch after this one is wanted: one thread would not have pulled any. */
  private void saturated(long sequence) {
    exhausted = true;
    dropPending(sequence);
    failure.clear();
  }

  /** Returns a driver whose local state is to be combined, or null when there are no more. */
  PipelineDriver pollFinishedDriver() {
    return drivers.pollFinished();
  }

  /** Makes the next pipeline read the sink's output, which it owns from now on, in splits. */
  void giveSplits(SplitSource splits) {
    consumer.read(new SplitSupplier(splits, plan.sink().nodeId(), sinkMetrics()));
  }

  /**
   * Notes that the sink has everything.
   *
   * @param isInputSpared whether the pipeline that uses it needs no input: it would yield nothing
   */
  void sinkFinished(boolean isInputSpared) {
    phase = Phase.DONE;
    consumer.exhausted |= isInputSpared;
    consumer.advance();
  }

  /** Notes what a pull from the earlier sink gave: a batch or null, and perhaps the end. */
  void pulled(RecordBatch batch, boolean ended) {
    pulling = false;
    if (batch != null) {
      letIn(batch);
    }
    exhausted |= ended;
    advance();
  }

  /** Returns the next batch of the fragment's output, owned by the caller, or null for none now. */
  public QueuedBatch poll() {
    QueuedBatch output = inFlightBatches.poll(plan.ordered());
    if (output != null) {
      failWhenDue();
      advance();
    }
    return output;
  }

  /** Frees everything; without the lock, when nothing runs any more. */
  public void close(Closer closer) {
    inFlightBatches.close(closer);
    drivers.close(closer);
    closer.close(this::closeSink);
    splits.endAll();
    if (feed != null) {
      feed.close(closer);
    }
  }

  /** Describes the state in one line. */
  public String describe() {
    String from = source != null ? "a sink" : feed != null ? "a scan" : "a task input";
    return "reads "
        + from
        + (exhausted ? ", which has ended" : "")
        + (pulling ? ", being pulled" : "")
        + failure
        + "; "
        + phase
        + "; in flight "
        + inFlightBatches
        + ", "
        + pending.size()
        + " for a driver; "
        + drivers
        + splits;
  }

  /** Frees the sink unless that has happened; by one task at a time or when nothing runs. */
  void closeSink() {
    if (sink != null && !sinkClosed) {
      sinkClosed = true;
      sink.close();
    }
  }

  private boolean hasRoom() {
    return !failure.isSet() && inFlightBatches.hasRoom();
  }

  /** Drops the batches from a place in the stream on that wait for a driver. */
  private void dropPending(long from) {
    while (!pending.isEmpty() && pending.getLast().sequence() >= from) {
      InFlightBatch inFlight = inFlightBatches.remove(pending.removeLast());
      if (inFlight.split() == null) {
        inFlightBatches.drop(inFlight);
      } else {
        feed.drop(inFlight.takeSplit());
      }
    }
  }
}
