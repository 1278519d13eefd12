package io.ariadne.fragment;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.WorkOwner;
import io.ariadne.fragment.control.FragmentControl;
import io.ariadne.fragment.control.FragmentSettings;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.metrics.FragmentMetrics;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SplitSource;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.pipeline.PipelineRun;
import io.ariadne.pipeline.QueuedBatch;
import io.ariadne.pipeline.SplitSupplier;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import io.ariadne.watch.Watched;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Executes the pipelines of one fragment and yields its output to the task thread.
 *
 * <p>{@link #next()} does the first of these that is possible: return output, pull an input whose
 * pipeline may admit a batch, run a queued work item of this fragment, wait. Before it pulls a slow
 * input it gives running work items some time to emit output ({@link InputPace}).
 */
public final class PipelinedFragment implements FragmentExecution {
  /**
   * How often the task thread tries to read an output batch back without memory for it, with pauses
   * of up to {@link #LONGEST_PAUSE_MILLIS}.
   */
  private static final int READ_ATTEMPTS = 200;

  private static final int LONGEST_PAUSE_MILLIS = 100;

  private final LocalPlan plan;
  private final List<BatchSource> inputs;
  private final FragmentControl control;
  private final Consumer<PipelinedFragment> onClosed;
  private final Map<Integer, NodeMetrics> metrics = new TreeMap<>();
  private final FragmentMetrics totals = new FragmentMetrics();
  private final List<PipelineRun> pipelines = new ArrayList<>();
  private final InputPace pace = new InputPace();
  private OperatorContext context;
  private boolean started;
  private long outputSequence;
  private long inputSequence;
  private boolean closeRequested;
  private Thread closing;
  private boolean stoppedBeforeClose;
  private boolean closed;

  private PipelinedFragment(
      LocalPlan plan,
      List<BatchSource> inputs,
      TaskEnvironment environment,
      FragmentSettings settings,
      Consumer<PipelinedFragment> onClosed) {
    this.plan = plan;
    this.inputs = List.copyOf(inputs);
    this.onClosed = onClosed;
    plan.nodeIds().forEach(id -> metrics.put(id, new NodeMetrics(totals.memory())));
    this.control = new FragmentControl(settings, environment, metrics, totals);
    control.setDiagnosis(this::describe);
  }

  /**
   * Prepares a fragment; work starts with the first {@link #next()}.
   *
   * @param plan the pipelines
   * @param inputs the task inputs that the plan refers to by index; owned by the fragment from now
   *     on, also if this throws
   * @param scans the scans that the plan refers to by index
   * @param environment environment of the task's code on runtime threads
   * @param settings executors, memory, back end and limits
   * @param onClosed called once after everything was freed, before any call of {@link #close()}
   *     returns
   * @return the execution, to be closed by the caller
   * @throws IllegalArgumentException if the inputs do not match the plan
   */
  public static PipelinedFragment start(
      LocalPlan plan,
      List<BatchSource> inputs,
      List<SplitSourceFactory> scans,
      TaskEnvironment environment,
      FragmentSettings settings,
      Consumer<PipelinedFragment> onClosed) {
    PipelinedFragment fragment =
        new PipelinedFragment(plan, inputs, environment, settings, onClosed);
    try {
      fragment.checkInputs();
      fragment.open(settings, scans);
      return fragment;
    } catch (RuntimeException | Error e) {
      fragment.free().suppressIn(e);
      throw e;
    }
  }

  @Override
  public Schema schema() {
    return plan.outputSchema();
  }

  /** Returns the view of this fragment for a watchdog. */
  public Watched watched() {
    return control;
  }

  @Override
  public RecordBatch next() {
    control.enterTaskThread();
    ThreadRecord thread = ThreadRecord.current();
    WorkOwner before = thread.workFor(control);
    try {
      control.lock();
      try {
        checkNotClosed();
      } finally {
        control.unlock();
      }
      return nextOutput();
    } finally {
      thread.workFor(before);
      exitTaskThread();
    }
  }

  @Override
  public long inputSequence() {
    return inputSequence;
  }

  @Override
  public Map<Integer, NodeMetrics> metrics() {
    return Collections.unmodifiableMap(metrics);
  }

  @Override
  public FragmentMetrics totals() {
    return totals;
  }

  @Override
  public void cancel() {
    control.cancel();
  }

  @Override
  public String diagnosis() {
    return control.diagnosis();
  }

  @Override
  public void close() {
    control.lock();
    try {
      if (control.isInWorkItem()) {
        throw new IllegalStateException("a fragment cannot be closed by one of its own tasks");
      }
      boolean stopped = control.isStopped();
      control.cancel();
      if (control.isOnTaskThread()) {
        closeRequested = true;
        return;
      }
      if (closing != null) {
        control.awaitUntil(() -> closed || closing == Thread.currentThread());
        return;
      }
      closing = Thread.currentThread();
      stoppedBeforeClose = stopped;
      control.awaitQuiet();
    } finally {
      control.unlock();
    }
    Closer closer = free();
    closer.close(() -> onClosed.accept(this));
    control.lock();
    try {
      closed = true;
      control.signal();
    } finally {
      control.unlock();
    }
    closer.rethrow();
  }

  /** Throws, under the lock, the error of a call of {@link #next()} after {@link #close()}. */
  private void checkNotClosed() {
    if (closing != null && stoppedBeforeClose) {
      control.checkNotStopped();
    }
    if (closing != null) {
      throw new IllegalStateException("the fragment is closed");
    }
  }

  private RecordBatch nextOutput() {
    while (true) {
      control.pollEnvironment();
      control.checkNotStopped();
      QueuedBatch output = null;
      PipelineRun wanting = null;
      long seen;
      long delay = 0;
      control.setTaskThreadActivity("looks for work");
      control.lock();
      try {
        if (!started) {
          started = true;
          pipelines.forEach(PipelineRun::advance);
        }
        seen = control.version();
        PipelineRun last = pipelines.get(pipelines.size() - 1);
        output = last.poll();
        if (output == null && last.isDone()) {
          return null;
        }
        wanting = pipelines.stream().filter(PipelineRun::wantsInput).findFirst().orElse(null);
        if (wanting == null) {
          delay = Long.MAX_VALUE;
        } else if (wanting == last && last.isBusy()) {
          delay = pace.maxDelayNanos();
        }
      } finally {
        control.unlock();
      }
      if (output != null) {
        return deliver(output);
      }
      if (delay <= 0) {
        pull(wanting);
      } else if (!control.executor().help(control)) {
        control.awaitChange(seen, delay);
      }
    }
  }

  private void pull(PipelineRun pipeline) {
    PipelineInput.TaskInput input = (PipelineInput.TaskInput) pipeline.plan().input();
    NodeMetrics nodeMetrics = metrics.get(input.nodeId());
    RecordBatch batch = null;
    try {
      control.setTaskThreadActivity("pulls input " + input.inputIndex());
      long start = System.nanoTime();
      batch = inputs.get(input.inputIndex()).next();
      nodeMetrics.addNanos(pace.pulled(start));
    } catch (Throwable t) {
      failInput(pipeline, control.describe(t, "input " + input.inputIndex()));
      return;
    }
    if (batch != null) {
      nodeMetrics.addOutput(batch.rowCount(), batch.sizeInBytes());
    }
    boolean taken = false;
    control.lock();
    try {
      if (!control.isStopped()) {
        taken = true;
        if (batch == null) {
          pipeline.endInput();
        } else {
          pipeline.admit(batch);
        }
      }
    } finally {
      control.unlock();
    }
    if (!taken && batch != null) {
      batch.close();
    }
  }

  private void failInput(PipelineRun pipeline, Throwable problem) {
    control.lock();
    try {
      if (control.isStopped()) {
        control.fail(problem);
      } else {
        pipeline.inputFailed(problem);
      }
    } finally {
      control.unlock();
    }
  }

  /**
   * Converts an output batch for the task. A failure fails the fragment, as the batch would be
   * missing.
   */
  private RecordBatch deliver(QueuedBatch batch) {
    try {
      RecordBatch output = withOutputSequence(context.transfer().toHost(readBack(batch)));
      output.leaveWork();
      return output;
    } catch (RuntimeException | Error e) {
      control.fail(control.describe(e, "output"));
      control.checkNotStopped();
      throw e;
    }
  }

  /**
   * Takes a batch out of the queue; frees it if that fails. A batch on disk stays there while other
   * work has the memory: waiting output is no reason to fail.
   */
  private RecordBatch readBack(QueuedBatch waiting) {
    try {
      for (int reads = 1; ; reads++) {
        ThreadRecord thread = ThreadRecord.current();
        boolean before = thread.mayWait(false);
        try {
          return waiting.take();
        } catch (EngineException e) {
          if (e.code() != ErrorCode.OUT_OF_MEMORY || reads > READ_ATTEMPTS || control.isStopped()) {
            throw e;
          }
        } finally {
          thread.mayWait(before);
        }
        control.setTaskThreadActivity("waits for memory to read output back");
        control.awaitMillis(Math.min(reads, LONGEST_PAUSE_MILLIS));
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(waiting);
      closer.suppressIn(e);
      throw e;
    }
  }

  /**
   * Numbers a batch by its position in the output; inside the fragment it has the number of its
   * input.
   */
  private RecordBatch withOutputSequence(RecordBatch batch) {
    inputSequence = batch.sequence();
    long sequence = outputSequence++;
    if (batch.sequence() == sequence) {
      return batch;
    }
    List<ColumnVector> columns = new ArrayList<>(batch.columnCount());
    for (int i = 0; i < batch.columnCount(); i++) {
      columns.add(batch.takeColumn(i));
    }
    return new RecordBatch(batch.schema(), batch.rowCount(), columns, sequence);
  }

  private void exitTaskThread() {
    boolean close;
    control.lock();
    try {
      close = closeRequested;
      control.exitTaskThread();
    } finally {
      control.unlock();
    }
    if (close) {
      close();
    }
  }

  private void checkInputs() {
    for (PipelinePlan pipeline : plan.pipelines()) {
      if (pipeline.input() instanceof PipelineInput.TaskInput input) {
        if (input.inputIndex() < 0 || input.inputIndex() >= inputs.size()) {
          throw new IllegalArgumentException(
              "the plan reads input " + input.inputIndex() + " of " + inputs.size());
        }
        String name = "input " + input.inputIndex();
        checkTypes(name, input.schema(), inputs.get(input.inputIndex()).schema());
      }
    }
  }

  private static void checkTypes(String name, Schema planned, Schema given) {
    List<?> expected = planned.fields().stream().map(Field::type).toList();
    List<?> actual = given.fields().stream().map(Field::type).toList();
    if (!expected.equals(actual)) {
      throw new IllegalArgumentException(
          name + " has columns " + actual + ", the plan expects " + expected);
    }
  }

  private void open(FragmentSettings settings, List<SplitSourceFactory> scans) {
    context =
        new OperatorContext(
            settings.allocator(),
            settings.kernelAllocator(),
            settings.backend(),
            control::isStopped,
            control.errorReplay(),
            settings.spill(),
            settings.kernelSpill(),
            settings.executor().threadCount());
    for (int i = 0; i < plan.pipelines().size(); i++) {
      PipelinePlan pipeline = plan.pipelines().get(i);
      PipelineRun run =
          new PipelineRun(pipeline, plan.distance(i), control, context, metrics, settings);
      pipelines.add(run);
      pipeline.builds().forEach(built -> run.use(pipelines.get(built)));
      if (pipeline.input() instanceof PipelineInput.SinkOutput output) {
        run.connect(pipelines.get(output.pipelineIndex()));
      } else if (pipeline.input() instanceof PipelineInput.Scan scan) {
        openScan(run, scan, scans);
      }
    }
  }

  private void openScan(
      PipelineRun run, PipelineInput.Scan scan, List<SplitSourceFactory> factories) {
    int index = scan.scanIndex();
    if (index < 0 || index >= factories.size()) {
      throw new IllegalArgumentException(
          "the plan reads scan " + index + " of " + factories.size());
    }
    NodeMetrics nodeMetrics = metrics.get(scan.nodeId());
    ThreadRecord thread = ThreadRecord.current();
    WorkOwner before = thread.workFor(control); // a scan's steps run in the fragment's environment
    // Columns that only the host reads would come back from the device.
    OperatorContext reading =
        run.plan().columnUse() == ColumnUse.KERNELS ? context : context.onHost();
    SplitSource source;
    try {
      source = factories.get(index).create(reading, nodeMetrics::extra);
    } finally {
      thread.workFor(before);
    }
    run.read(new SplitSupplier(source, scan.nodeId(), nodeMetrics));
    checkTypes("scan " + index, scan.schema(), source.schema());
  }

  /** Closes everything; returns the closer with the errors of that. */
  private Closer free() {
    Closer closer = new Closer();
    // A later pipeline reads what an earlier one has built.
    for (int i = pipelines.size() - 1; i >= 0; i--) {
      pipelines.get(i).close(closer);
    }
    inputs.forEach(closer::close);
    return closer;
  }

  private String describe() {
    StringBuilder text = new StringBuilder(control.describe());
    for (int i = 0; i < pipelines.size(); i++) {
      text.append("  pipeline ").append(i).append(' ');
      text.append(pipelines.get(i).describe()).append('\n');
    }
    return text.toString();
  }
}
