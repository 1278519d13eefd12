package io.ariadne.task;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A pipeline of a running fragment: what it has let in, its lanes, and how far it is.
 *
 * <p>Everything here is guarded by the fragment's lock unless it says otherwise.
 */
final class PipelineRun {
  private enum Phase {
    /** Batches go through the lanes. */
    STREAMING,
    /** The input has ended; transforms yield what they kept, local states end. */
    FINISHING_LANES,
    /** Local states go into the sink. */
    FINISHING_SINK,
    /** No more work. */
    DONE
  }

  private final FragmentControl control;
  private final PipelinePlan plan;
  private final OperatorContext context;
  private final Map<Integer, NodeMetrics> metrics;
  private final int distance;
  private final SinkOperator sink;
  private final InFlight inFlight;
  private final StartedSplits splits;
  private final TaskMemory memory;
  private final Deque<Admission> pending = new ArrayDeque<>();
  private final Lanes lanes;
  private final StreamFailure failure = new StreamFailure();
  private final List<PipelineRun> builds = new ArrayList<>();
  private PipelineRun source;
  private SplitFeed feed;
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
  PipelineRun(
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
    this.inFlight = new InFlight(settings.limits(), new WaitingRoom(context), control::isNearPump);
    this.splits = new StartedSplits(settings.shared().splitMemory());
    this.memory = new TaskMemory(settings.shared().peaks().of(plan), context);
    this.sink = plan.sink() == null ? null : plan.sink().factory().create(context);
    int mostLanes = Math.min(plan.threads(), control.executor().threadCount());
    this.lanes = new Lanes(mostLanes, () -> new Lane(plan, sink, metrics));
  }

  /** Makes this pipeline read the sink of an earlier one. */
  void connect(PipelineRun earlier) {
    source = earlier;
    earlier.consumer = this;
  }

  /** Makes this pipeline wait for the sink of an earlier one, which its transforms use. */
  void use(PipelineRun earlier) {
    builds.add(earlier);
    earlier.consumer = this;
  }

  /** Frees what the transforms have used; without the lock, when all lanes are closed. */
  void closeBuilds() {
    builds.forEach(PipelineRun::closeSink);
  }

  /** Returns whether all is complete that the transforms use. */
  private boolean isReady() {
    return builds.stream().allMatch(build -> build.phase == Phase.DONE);
  }

  /** Makes this pipeline read splits, of a scan or of a sink, owned by it from now on. */
  void read(SplitFeed scan) {
    feed = scan;
  }

  PipelinePlan plan() {
    return plan;
  }

  /** Returns the scan; without the lock. */
  SplitFeed feed() {
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
    return MemoryShortage.nameOf(sink, plan.sink().nodeId());
  }

  /** Returns the figures of the sink's node; without the lock. */
  NodeMetrics sinkMetrics() {
    return metrics.get(plan.sink().nodeId());
  }

  /** Returns whether the task thread should pull this pipeline's input now. */
  boolean wantsInput() {
    return plan.input() instanceof PipelineInput.TaskInput && !exhausted && isReady() && hasRoom();
  }

  /** Returns whether lanes are at work, or were when they failed. */
  boolean isBusy() {
    return lanes.isBusy();
  }

  /** Returns whether all work is done and, at the fragment's end, all output was polled. */
  boolean isDone() {
    return phase == Phase.DONE && inFlight.isEmpty();
  }

  /** Takes a batch of the input and hands it to a lane as soon as one is idle. */
  void admit(RecordBatch batch) {
    letIn(batch);
    advance();
  }

  /** Lets a batch in unless none is wanted any more. */
  private void letIn(RecordBatch batch) {
    if (failure.isSet() || exhausted) {
      batch.close();
      return;
    }
    Admission admission = inFlight.admit(batch);
    if (plan.transforms().isEmpty() && sink == null) {
      admission.passOn();
      inFlight.complete(admission);
    } else {
      pending.add(admission);
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
      pending.add(inFlight.admit(split, bytes));
    }
    advance();
  }

  /** Returns whether more of a split's output is wanted: no earlier part of the input failed. */
  boolean wants(Admission admission) {
    return failure.isBehind(admission.sequence());
  }

  /**
   * Returns null when a lane may yield its next batch, else a future that completes when it may, or
   * when that is not wanted any more. Takes the lock.
   */
  CompletableFuture<Void> roomFor(Admission admission) {
    control.lock();
    try {
      return !wants(admission) || inFlight.mayYield(admission) ? null : admission.pause();
    } finally {
      control.unlock();
    }
  }

  /** Notes what memory of a split's output its lane holds now. */
  void laneHolds(Admission admission, BatchMemory memory) {
    admission.setInputMemory(memory);
    inFlight.resume(this::wants);
  }

  /** Notes that the input has ended. */
  void endInput() {
    exhausted = true;
    advance();
  }

  /** Notes that the input failed: after all batches it has yielded, if more were wanted. */
  void inputFailed(Throwable problem) {
    if (!exhausted) {
      failAt(inFlight.nextSequence(), problem);
    }
  }

  /**
   * Notes that a batch, split or flush failed. The fragment fails when all earlier ones and what
   * this one has yielded have left the pipeline and none of them has failed: with the failure that
   * one thread would have met, and after the output it would have yielded. Later ones are dropped.
   *
   * <p>The lane stays busy for ever: its operators are in an unknown state.
   */
  void failAt(long sequence, Throwable problem) {
    if (failure.set(sequence, problem)) {
      dropPending(sequence);
      failWhenDue();
      inFlight.resume(this::wants);
    }
  }

  private void failWhenDue() {
    Throwable due = failure.due(inFlight.first());
    if (due != null) {
      control.fail(due);
    }
  }

  /** Queues whatever can go on now. */
  void advance() {
    while (!pending.isEmpty()
        && lanes.hasFree()
        && phase == Phase.STREAMING
        && mayStart(pending.element())) {
      queue(lanes.take(), pending.remove());
    }
    loadAhead();
    pull();
    inFlight.resume(this::wants);
    if (phase == Phase.STREAMING
        && isReady()
        && exhausted
        && pending.isEmpty()
        && !lanes.isBusy()) {
      phase = Phase.FINISHING_LANES;
      finishLanes();
    }
    if (phase == Phase.FINISHING_LANES && !lanes.isBusy()) {
      phase = sink == null ? Phase.DONE : Phase.FINISHING_SINK;
      if (sink != null) {
        control.submit(new SinkFinishTask(this));
      }
    }
  }

  /** Has the batch read back that is next, if it has left memory and there is memory again. */
  private void loadAhead() {
    if (!pending.isEmpty() && pending.element().isToBeLoaded() && !inFlight.isScarce()) {
      CompletableFuture<Void> unused = load(pending.element());
    }
  }

  /** Gets a batch ready; returns what is complete when it is. */
  CompletableFuture<Void> load(Admission admission) {
    if (!admission.isLoading()) {
      control.submit(new LoadTask(this, admission));
    }
    return admission.load();
  }

  /** Returns whether memory allows to start on a batch or split, and takes it. */
  private boolean mayStart(Admission admission) {
    return admission.split() == null || splits.start(admission);
  }

  private void queue(Lane lane, Admission admission) {
    control.submit(
        admission.split() == null
            ? new LaneTask(this, lane, admission)
            : new SplitTask(this, lane, admission));
  }

  /** Pulls the input, unless the task thread must, when it is wanted. */
  private void pull() {
    if (pulling || exhausted || !isReady() || !hasRoom()) {
      return;
    }
    if (feed != null) {
      pulling = pending.isEmpty();
      if (pulling) {
        control.submit(new SplitPullTask(this));
      }
    } else if (source != null && source.phase == Phase.DONE) {
      pulling = true;
      control.submit(new SinkOutputTask(source, this));
    }
  }

  private void finishLanes() {
    if (!plan.transforms().isEmpty()) {
      lanes.makeOne();
    }
    for (Lane lane = lanes.takeIdle(); lane != null; lane = lanes.takeIdle()) {
      queue(lane, inFlight.admitFlush());
    }
  }

  /** Adds output of a lane; the fragment is not stopped. */
  void emit(Admission admission, RecordBatch output) {
    inFlight.add(admission, output);
    control.signal();
  }

  /**
   * Returns the batch right behind one that is being worked on, if it waits and its lane may go on
   * with it; null otherwise.
   */
  Admission follower(Admission admission) {
    Admission next = pending.peek();
    boolean follows =
        next != null && next.split() == null && next.sequence() == admission.sequence() + 1;
    boolean isFree = follows && !next.isPrepared() && !memory.isScarce();
    return isFree && !control.isStopped() ? next : null;
  }

  /** Notes that a lane has used up a batch and goes on with its {@link #follower}. */
  void follow(Admission admission) {
    pending.remove();
    inFlight.complete(admission);
    failWhenDue();
    advance();
    control.signal();
  }

  /** Notes that a lane has used up what it was given. */
  void laneFinished(Lane lane, Admission admission) {
    inFlight.complete(admission);
    splits.end(admission);
    if (admission.isFlush()) {
      lanes.finish(lane);
    } else {
      lanes.free(lane);
      if (lanes.isSingle() && lane.isSaturated()) {
        saturated(admission.sequence());
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

  /** Returns a lane whose local state is to be combined, or null when there are no more. */
  Lane pollFinishedLane() {
    return lanes.pollFinished();
  }

  /** Makes the next pipeline read the sink's output, which it owns from now on, in splits. */
  void giveSplits(SplitSource splits) {
    consumer.read(new SplitFeed(splits, plan.sink().nodeId(), sinkMetrics()));
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
  WaitingBatch poll() {
    WaitingBatch output = inFlight.poll(plan.ordered());
    if (output != null) {
      failWhenDue();
      advance();
    }
    return output;
  }

  /** Frees everything; without the lock, when nothing runs any more. */
  void close(Closer closer) {
    inFlight.close(closer);
    lanes.close(closer);
    closer.close(this::closeSink);
    splits.endAll();
    if (feed != null) {
      feed.close(closer);
    }
  }

  /** Describes the state in one line. */
  String describe() {
    String from = source != null ? "a sink" : feed != null ? "a scan" : "a task input";
    return "reads "
        + from
        + (exhausted ? ", which has ended" : "")
        + (pulling ? ", being pulled" : "")
        + failure
        + "; "
        + phase
        + "; in flight "
        + inFlight
        + ", "
        + pending.size()
        + " for a lane; "
        + lanes
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
    return !failure.isSet() && inFlight.hasRoom();
  }

  /** Drops the batches from a place in the stream on that wait for a lane. */
  private void dropPending(long from) {
    while (!pending.isEmpty() && pending.getLast().sequence() >= from) {
      Admission admission = inFlight.remove(pending.removeLast());
      if (admission.split() == null) {
        inFlight.drop(admission);
      } else {
        feed.drop(admission.takeSplit());
      }
    }
  }
}
