package io.ariadne.fragment.admission;

import io.ariadne.columnar.BatchSource;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.FragmentTestFailures;
import io.ariadne.fragment.LongBatches;
import io.ariadne.fragment.TestFragmentScan;
import io.ariadne.fragment.TestingOperator;
import io.ariadne.fragment.TestingRuntimes;
import io.ariadne.fragment.TestingScan;
import io.ariadne.fragment.admission.DrainRate.Drain;
import io.ariadne.fragment.admission.StreamingSimulation.Arm;
import io.ariadne.fragment.admission.StreamingSimulation.Outcome;
import io.ariadne.fragment.admission.StreamingSimulation.Policy;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the experiment E7, the memory sweep of the streaming batch model at 1/10 of its time and
 * 1/20 of its bytes, or scans whose tasks use the output slowly.
 *
 * <p>Arguments: {@code simulate} (in virtual time), {@code run DIRECTORY [MEGABYTES]...} (on a
 * runtime, which spills to the directory) or {@code tasks DIRECTORY} (slow tasks in little memory).
 */
public final class BenchmarkAdmission {
  private static final int THREADS = 8;
  private static final int DEVICE_SLOTS = 4;
  private static final long MB = 1_000_000;
  private static final PipelineInput SCAN = new PipelineInput.Scan(0, 0, LongBatches.SCHEMA);

  private static final int TASK_THREADS = 4;
  private static final long TASK_MEMORY = 64 << 20;
  private static final int SPLITS = 16;
  private static final int BATCHES = 4;
  private static final int ROWS = 32 << 10;
  private static final int ROUNDS = 5;

  private final Path folder;
  private final ExecutorService device = Executors.newFixedThreadPool(DEVICE_SLOTS);

  private BenchmarkAdmission(Path folder) {
    this.folder = folder;
  }

  /**
   * Runs one of the experiments and prints its results.
   *
   * @param arguments see the class
   */
  public static void main(String[] arguments) throws Exception {
    if ("simulate".equals(arguments[0])) {
      simulate();
      return;
    }
    BenchmarkAdmission benchmark = new BenchmarkAdmission(Path.of(arguments[1]));
    try {
      if ("run".equals(arguments[0])) {
        for (int i = 2; i < arguments.length; i++) {
          benchmark.run(Long.parseLong(arguments[i]));
        }
      } else {
        benchmark.runTasks();
      }
    } finally {
      benchmark.device.shutdown();
    }
  }

  private static void simulate() {
    System.out.printf("bound %.2f s%n", StreamingSimulation.bound());
    for (long megabytes : new long[] {60, 90, 120, 150, 180, 300, 400, 500, 600, 700, 800}) {
      Arm full = Arm.of(Policy.OPTIMISTIC, Drain.BOTTLENECK, megabytes * MB);
      Arm pessimistic = Arm.of(Policy.PESSIMISTIC, Drain.NONE, megabytes * MB);
      Map<String, Arm> arms = new LinkedHashMap<>();
      arms.put("full", full);
      arms.put("staged", Arm.of(Policy.STAGED, Drain.NONE, megabytes * MB));
      arms.put("static partitions", full.withStaticPartitions());
      arms.put("static, one reserve", full.withStaticPartitions().withReserve(1));
      arms.put("static, two copies", full.withStaticPartitions().withCopies(2));
      arms.put("back-pressure", pessimistic);
      arms.put("4 and 4 slots", full.withSlots(4, 4));
      arms.put("5 and 3 slots", full.withSlots(5, 3));
      arms.put("sum of stages", Arm.of(Policy.OPTIMISTIC, Drain.SUM, megabytes * MB));
      arms.put("free memory only", Arm.of(Policy.OPTIMISTIC, Drain.NONE, megabytes * MB));
      arms.put("paper's counter", Arm.of(Policy.COUNTER, Drain.SUM, megabytes * MB));
      arms.put("full, small tasks", full.withSmallLoads());
      arms.put("back-pressure, small", pessimistic.withSmallLoads());
      double best = StreamingSimulation.run(full).seconds();
      arms.forEach(
          (name, arm) -> {
            Outcome outcome = StreamingSimulation.run(arm);
            System.out.printf(
                "%4d MB  %-22s %7.2f s  %5.2fx  peak %d MB%n",
                megabytes,
                name,
                outcome.seconds(),
                outcome.seconds() / best,
                outcome.peakBytes() / MB);
          });
    }
  }

  private void run(long megabytes) throws Exception {
    double full = measure(megabytes, "one pipeline", 1, () -> fused(5, megabytes));
    measure(megabytes, "static partitions", full, () -> fused(1, megabytes));
    measure(megabytes, "staged", full, () -> staged(megabytes));
    measure(megabytes, "4 and 4 threads", full, () -> divided(megabytes));
  }

  private double measure(long megabytes, String name, double full, Callable<Long> body)
      throws Exception {
    long start = System.nanoTime();
    long moved = body.call();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "%4d MB  %-22s %7.2f s  %5.2fx  %d MB spilled%n",
        megabytes, name, seconds, full == 1 ? 1 : seconds / full, moved / MB);
    return seconds;
  }

  private ExecutorRuntime start(int threads, long bytes) {
    return TestingRuntimes.start(
        RuntimeConfig.of(threads, bytes).withSpill(DiskSpillOptions.in(List.of(folder))));
  }

  private long fused(int partitions, long megabytes) {
    return execute(
        new SleepingStages.Loads(partitions),
        List.of(new PipelinePlan(SCAN, both(), null, PipelinePlan.ANY, false)),
        megabytes);
  }

  private long staged(long megabytes) {
    PipelinePlan.Sink sink = new PipelinePlan.Sink(100, SleepingStages.Barrier::new);
    return execute(
        new SleepingStages.Loads(SleepingStages.BATCHES_OF_LOAD),
        List.of(
            new PipelinePlan(SCAN, List.of(), sink, PipelinePlan.ANY, false),
            new PipelinePlan(
                new PipelineInput.SinkOutput(0),
                both().subList(0, 1),
                sink,
                PipelinePlan.ANY,
                false),
            new PipelinePlan(
                new PipelineInput.SinkOutput(1),
                both().subList(1, 2),
                null,
                PipelinePlan.ANY,
                false)),
        megabytes);
  }

  private List<PipelinePlan.Transform> both() {
    OperatorFactory inference = context -> new SleepingStages.Inference(context, device);
    return List.of(
        new PipelinePlan.Transform(List.of(1), SleepingStages.Transform::new),
        new PipelinePlan.Transform(List.of(2), inference));
  }

  private long execute(SplitSourceFactory scan, List<PipelinePlan> pipelines, long megabytes) {
    try (ExecutorRuntime runtime = start(THREADS, megabytes * MB);
        FragmentExecution execution =
            runtime.execute(
                new LocalPlan(pipelines, LongBatches.SCHEMA),
                List.of(),
                List.of(scan),
                TaskEnvironment.NONE)) {
      drain(execution);
      return runtime.movedBytes();
    }
  }

  private static void drain(FragmentExecution execution) {
    long rows = 0;
    for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
      rows += LongBatches.values(batch)[0];
      batch.close();
    }
    long all =
        (long) SleepingStages.LOADS
            * SleepingStages.BATCHES_OF_LOAD
            * (SleepingStages.BATCH_BYTES / Long.BYTES);
    if (rows != all) {
      throw new IllegalStateException(rows + " rows of " + all);
    }
  }

  /** Loads in one runtime, transforms in another: each has half of the threads and the memory. */
  private long divided(long megabytes) {
    LocalPlan load =
        new LocalPlan(
            List.of(new PipelinePlan(SCAN, List.of(), null, PipelinePlan.ANY, false)),
            LongBatches.SCHEMA);
    LocalPlan rest =
        new LocalPlan(
            List.of(
                new PipelinePlan(
                    new PipelineInput.TaskInput(0, 0, LongBatches.SCHEMA),
                    both(),
                    null,
                    PipelinePlan.ANY,
                    false)),
            LongBatches.SCHEMA);
    SplitSourceFactory scan = new SleepingStages.Loads(SleepingStages.BATCHES_OF_LOAD);
    try (ExecutorRuntime loader = start(THREADS / 2, megabytes * MB / 2);
        ExecutorRuntime user = start(THREADS / 2, megabytes * MB / 2)) {
      FragmentExecution loads =
          loader.execute(load, List.of(), List.of(scan), TaskEnvironment.NONE);
      BatchSource input = new Input(loads);
      try (FragmentExecution execution = user.execute(rest, List.of(input), TaskEnvironment.NONE)) {
        drain(execution);
      }
      return loader.movedBytes() + user.movedBytes();
    }
  }

  private record Input(FragmentExecution fragment) implements BatchSource {
    @Override
    public Schema schema() {
      return LongBatches.SCHEMA;
    }

    @Override
    public RecordBatch next() {
      return fragment.next();
    }

    @Override
    public void close() {
      fragment.close();
    }
  }

  private void runTasks() throws Exception {
    for (int percent : new int[] {0, 70, 80, 85, 90}) {
      for (long millis : new long[] {0, 1, 5, 20}) {
        double[] seconds = new double[ROUNDS];
        double[] mib = new double[ROUNDS];
        runTasks(percent, millis, seconds, mib, 0); // not counted
        for (int round = 0; round < ROUNDS; round++) {
          runTasks(percent, millis, seconds, mib, round);
        }
        Arrays.sort(seconds);
        Arrays.sort(mib);
        System.out.printf(
            "%2d %% in other use, %2d ms per batch: %.2f s (%.2f to %.2f), "
                + "%.1f MiB (%.1f to %.1f)%n",
            percent,
            millis,
            seconds[ROUNDS / 2],
            seconds[0],
            seconds[ROUNDS - 1],
            mib[ROUNDS / 2],
            mib[0],
            mib[ROUNDS - 1]);
      }
    }
  }

  private void runTasks(int percent, long millis, double[] seconds, double[] mib, int round)
      throws Exception {
    ExecutorService tasks = Executors.newFixedThreadPool(TASK_THREADS);
    try (ExecutorRuntime runtime = start(TASK_THREADS, TASK_MEMORY);
        MemoryBuffer table =
            runtime.pool().allocate(runtime.pool().limitInBytes() / 100 * percent)) {
      long start = System.nanoTime();
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < TASK_THREADS; i++) {
        running.add(tasks.submit(() -> runTask(runtime, millis)));
      }
      for (Future<?> task : running) {
        task.get();
      }
      seconds[round] = (System.nanoTime() - start) / 1e9;
      if (runtime.pool().allocatedBytes() < table.lengthInBytes()) {
        throw new IllegalStateException("the memory in other use is gone");
      }
      mib[round] = runtime.movedBytes() / (double) (1 << 20);
    } finally {
      tasks.shutdown();
    }
  }

  private static void runTask(ExecutorRuntime runtime, long millis) {
    TestingScan scan =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(SPLITS, BATCHES, ROWS));
    LocalPlan plan =
        TestFragmentScan.scanning(
            TestingRuntimes.pipeline(TestingOperator.passing()), PipelinePlan.ANY);
    try (FragmentExecution execution =
        runtime.execute(plan, List.of(), List.of(scan), TaskEnvironment.NONE)) {
      for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
        batch.close();
        FragmentTestFailures.pause(millis);
      }
    }
  }
}
