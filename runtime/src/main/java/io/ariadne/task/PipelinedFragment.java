package io.ariadne.task;

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
import io.ariadne.metrics.FragmentMetrics;
import io.ariadne.metrics.NodeMetrics;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SplitSource;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.watch.Watched;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Runs the pipelines of one fragment: the pump.
 *
 * <p>{@link #next()} does, in this order, what it can: returns output, pulls an input that has
 * room, runs a queued task of its own fragment, waits. Before it pulls an input that is slow it
 * gives running work some time to yield output, which could not be returned during the pull.
 */
public final class PipelinedFragment implements FragmentExecution {
  /** How often output is read back in vain, with pauses of up to so many milliseconds. */
  private static final int READS = 200;

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
   * @param inputs what the plan's task inputs refer to by number; owned by the fragment from now
   *     on, also when this throws
   * @param scans what the plan's scans refer to by number
   * @param environment surroundings for the task's code on runtime threads
   * @param settings where it runs and within which bounds
   * @param onClosed called once after everything was freed, before any call of close returns
   * @return the execution, to be closed by the caller
   * @throws IllegalArgumentException when the inputs are not those the plan asks for
   */
  public static PipelinedFragment start(
      LocalPlan plan,
      List<BatchSource> inputs,
      List<SplitSourceFactory> scans,
      TaskEnvironment environment,
      FragmentSettings settings,
      Consumer<PipelinedFragment> onClosed) {
    PipelinedFragment driver = new PipelinedFragment(plan, inputs, environment, settings, onClosed);
    try {
      driver.checkInputs();
      driver.open(settings, scans);
      return driver;
    } catch (RuntimeException | Error e) {
      driver.free().suppressIn(e);
      throw e;
    }
  }

  @Override
  public Schema schema() {
    return plan.outputSchema();
  }

  /** Returns what a watchdog looks at. */
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
      return pump();
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
      if (control.isInTask()) {
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

  /** Throws, under the lock, what a pump is to be told that comes after the end. */
  private void checkNotClosed() {
    if (closing != null && stoppedBeforeClose) {
      control.checkNotStopped();
    }
    if (closing != null) {
      throw new IllegalStateException("the fragment is closed");
    }
  }

  private RecordBatch pump() {
    while (true) {
      control.pollEnvironment();
      control.checkNotStopped();
      QueuedBatch output = null;
      PipelineRun wanting = null;
      long seen;
      long patience = 0;
      control.pumpDoes("looks for work");
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
          patience = Long.MAX_VALUE;
        } else if (wanting == last && last.isBusy()) {
          patience = pace.patienceNanos();
        }
      } finally {
        control.unlock();
      }
      if (output != null) {
        return handOut(output);
      }
      if (patience <= 0) {
        pull(wanting);
      } else if (!control.executor().help(control)) {
        control.awaitChange(seen, patience);
      }
    }
  }

  private void pull(PipelineRun pipeline) {
    PipelineInput.TaskInput input = (PipelineInput.TaskInput) pipeline.plan().input();
    NodeMetrics figures = metrics.get(input.nodeId());
    RecordBatch batch = null;
    try {
      control.pumpDoes("pulls input " + input.inputIndex());
      long start = System.nanoTime();
      batch = inputs.get(input.inputIndex()).next();
      figures.addNanos(pace.pulled(start));
    } catch (Throwable t) {
      failInput(pipeline, control.describe(t, "input " + input.inputIndex()));
      return;
    }
    if (batch != null) {
      figures.addOutput(batch.rowCount(), batch.sizeInBytes());
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

  /** Makes a batch fit for the task; one that cannot be fails the fragment: it would be missing. */
  private RecordBatch handOut(QueuedBatch batch) {
    try {
      RecordBatch output = numbered(context.transfer().toHost(taken(batch)));
      output.leaveWork();
      return output;
    } catch (RuntimeException | Error e) {
      control.fail(control.describe(e, "output"));
      control.checkNotStopped();
      throw e;
    }
  }

  /**
   * Takes a batch out of where it waits; frees it when that fails. One on disk stays there while
   * others have the memory: whoever has output to give need not fail for that.
   */
  private RecordBatch taken(QueuedBatch waiting) {
    try {
      for (int reads = 1; ; reads++) {
        ThreadRecord thread = ThreadRecord.current();
        boolean before = thread.mayWait(false);
        try {
          return waiting.take();
        } catch (EngineException e) {
          if (e.code() != ErrorCode.OUT_OF_MEMORY || reads > READS || control.isStopped()) {
            throw e;
          }
        } finally {
          thread.mayWait(before);
        }
        control.pumpDoes("waits for memory to read output back");
        control.awaitMillis(Math.min(reads, LONGEST_PAUSE_MILLIS));
      }
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(waiting);
      closer.suppressIn(e);
      throw e;
    }
  }

  /** Gives a batch its place in the output; batches themselves know their place in the input. */
  private RecordBatch numbered(RecordBatch batch) {
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
    NodeMetrics figures = metrics.get(scan.nodeId());
    SplitSource source = factories.get(index).create(context, figures::extra);
    run.read(new SplitSupplier(source, scan.nodeId(), figures));
    checkTypes("scan " + index, scan.schema(), source.schema());
  }

  /** Closes everything and returns what went wrong in that. */
  private Closer free() {
    Closer closer = new Closer();
    pipelines.forEach(pipeline -> pipeline.close(closer));
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
