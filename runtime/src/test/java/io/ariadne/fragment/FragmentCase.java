package io.ariadne.fragment;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.LongStream;

/** A random plan over random input, with the trouble that may befall it, all from one seed. */
final class FragmentCase {
  /** Thrown by planned failures. */
  static final class Planned extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Planned(String where) {
      super(where);
    }
  }

  private final Random random;
  private final LocalPlan plan;
  private final List<long[]> input;
  private final long[] expected;
  private final boolean ordered;
  private final boolean troubled;
  private final AtomicInteger fuse;
  private final boolean scanning;
  private final TestingScan scan;
  private int nodes = 1;

  /**
   * Draws a case.
   *
   * @param seed decides everything
   * @param troubled whether operators and inputs fail
   */
  FragmentCase(long seed, boolean troubled) {
    this.random = new Random(seed);
    this.troubled = troubled;
    this.input = randomInput();
    this.fuse = new AtomicInteger(troubled ? 1 + random.nextInt(60) : Integer.MAX_VALUE);
    this.scanning = random.nextBoolean();
    this.scan = scan(random.nextLong());
    int sinks = random.nextInt(3);
    List<PipelinePlan> pipelines = new ArrayList<>();
    LongStream values = input.stream().flatMapToLong(Arrays::stream);
    long[] rows = values.toArray();
    for (int i = 0; i <= sinks; i++) {
      PipelineInput source = i == 0 ? firstInput() : new PipelineInput.SinkOutput(i - 1);
      List<PipelinePlan.Transform> transforms = new ArrayList<>();
      for (int t = random.nextInt(4); t > 0; t--) {
        Function<long[], long[][]> mapping = randomMapping();
        rows = Arrays.stream(mapping.apply(rows)).flatMapToLong(Arrays::stream).toArray();
        transforms.add(new PipelinePlan.Transform(List.of(nodes++), troubled(mapping)));
        if (random.nextInt(3) == 0) {
          transforms.add(new PipelinePlan.Transform(List.of(), context -> new BufferingOperator()));
        }
      }
      PipelinePlan.Sink sink = null;
      if (i < sinks) {
        int groups = 1 + random.nextInt(20);
        rows = FragmentModel.grouped(Arrays.stream(rows), groups);
        boolean yieldsSplits = random.nextBoolean();
        sink =
            new PipelinePlan.Sink(
                nodes++,
                context ->
                    yieldsSplits
                        ? TestingSink.ofSplits(context, groups)
                        : new TestingSink(context, groups));
      }
      int threads = random.nextInt(4) == 0 ? 1 : PipelinePlan.ANY;
      pipelines.add(new PipelinePlan(source, transforms, sink, threads, random.nextBoolean()));
    }
    this.plan = new LocalPlan(pipelines, LongBatches.SCHEMA);
    this.ordered = pipelines.get(sinks).ordered();
    this.expected = rows;
  }

  LocalPlan plan() {
    return plan;
  }

  /** Returns the scan, which takes the place of the input in every second case. */
  TestingScan scan() {
    return scan;
  }

  /** Checks that what the fragment has opened is closed. */
  void assertScanClosed() {
    if (scanning) {
      scan.assertClosed();
    }
  }

  private PipelineInput firstInput() {
    return scanning
        ? new PipelineInput.Scan(0, 0, LongBatches.SCHEMA)
        : new PipelineInput.TaskInput(0, 0, LongBatches.SCHEMA);
  }

  /** Spreads the input over splits that pause, wait, fail and yield batches without rows. */
  private TestingScan scan(long seed) {
    Random shape = new Random(seed);
    List<List<TestingScan.BatchMaker>> splits = new ArrayList<>();
    for (long[] batch : input) {
      while (splits.isEmpty() || shape.nextInt(4) == 0) {
        splits.add(new ArrayList<>());
      }
      List<TestingScan.BatchMaker> last = splits.get(splits.size() - 1);
      int cut = shape.nextInt(batch.length + 1);
      last.add(TestingScan.batch(Arrays.copyOf(batch, cut)));
      last.add(TestingScan.batch(Arrays.copyOfRange(batch, cut, batch.length)));
    }
    return new TroubledScan(splits, seed);
  }

  private final class TroubledScan extends TestingScan {
    private final long seed;

    TroubledScan(List<List<TestingScan.BatchMaker>> splits, long seed) {
      super(LongBatches.SCHEMA, splits);
      this.seed = seed;
    }

    private Random draw(int split, int batch) {
      return new Random(seed + split * 1_000L + batch);
    }

    @Override
    protected void beforeSplit(int split) {
      pause(draw(split, -1));
      burn("scan");
    }

    @Override
    protected void beforeBatch(int split, int batch) {
      pause(draw(split, batch));
      burn("split");
    }

    @Override
    protected long memoryInBytes(int split) {
      return draw(split, -2).nextInt(100_000);
    }

    @Override
    protected void onClose(int split) {
      burn("close");
    }

    @Override
    protected CompletableFuture<Void> blocked(int split, int batch) {
      Random random = draw(split, ~batch);
      if (random.nextInt(8) > 0) {
        return super.blocked(split, batch);
      }
      CompletableFuture<Void> wait = new CompletableFuture<>();
      if (troubled && random.nextInt(20) == 0) {
        wait.completeExceptionally(new Planned("split blocked"));
      } else {
        wait.completeOnTimeout(null, random.nextInt(3), TimeUnit.MILLISECONDS);
      }
      return wait;
    }
  }

  /** Returns whether the output has the order of {@link #expected}. */
  boolean isOrdered() {
    return ordered;
  }

  long[] expected() {
    return expected.clone();
  }

  /** Draws settings; with little memory now and then. */
  RuntimeConfig config(boolean littleMemory) {
    long memory = littleMemory ? 200 + random.nextInt(6_000) : 64 << 20;
    return RuntimeConfig.of(1 + random.nextInt(4), memory)
        .withInFlight(1 + random.nextInt(8), 1 + random.nextInt(20_000))
        .withTimes(5_000, 10_000);
  }

  /** Creates the input; called by the task thread. */
  TestingSource source(BufferAllocator allocator) {
    Random pauses = new Random(random.nextLong());
    return new TestingSource(allocator, input) {
      @Override
      protected void beforeBatch(int index) {
        pause(pauses);
        burn("input");
      }
    };
  }

  /** Pauses sometimes. */
  static void pause(Random random) {
    if (random.nextInt(20) == 0) {
      FragmentTestFailures.pause(random.nextInt(3));
    } else if (random.nextInt(5) == 0) {
      LockSupport.parkNanos(1);
    }
  }

  private void burn(String where) {
    if (troubled && fuse.decrementAndGet() == 0) {
      throw new Planned(where);
    }
  }

  private List<long[]> randomInput() {
    List<long[]> batches = new ArrayList<>();
    for (int i = random.nextInt(40); i > 0; i--) {
      batches.add(random.longs(random.nextInt(100), -1000, 1000).toArray());
    }
    return batches;
  }

  /** Draws a mapping that treats every value by itself, however values are batched. */
  private Function<long[], long[][]> randomMapping() {
    return switch (random.nextInt(4)) {
      case 0 -> values -> new long[][] {values};
      case 1 -> values -> new long[][] {Arrays.stream(values).map(v -> v * 3 + 1).toArray()};
      case 2 -> values -> new long[][] {Arrays.stream(values).filter(v -> v % 3 != 0).toArray()};
      default -> FragmentCase::halves;
    };
  }

  private static long[][] halves(long[] values) {
    int middle = values.length / 2;
    return new long[][] {
      Arrays.copyOf(values, middle), {}, Arrays.copyOfRange(values, middle, values.length)
    };
  }

  private OperatorFactory troubled(Function<long[], long[][]> mapping) {
    long seed = random.nextLong();
    int kind = random.nextInt(4);
    return context -> {
      burn("create");
      return new Troubled(context, mapping, new Random(seed), kind == 0);
    };
  }

  private final class Troubled extends TestingOperator {
    private final Random pauses;
    private final boolean blocking;
    private CompletableFuture<Void> blocked = NOT_BLOCKED;

    Troubled(
        OperatorContext context,
        Function<long[], long[][]> mapping,
        Random pauses,
        boolean blocking) {
      super(context, mapping);
      this.pauses = pauses;
      this.blocking = blocking;
    }

    @Override
    protected void onInput(long[] values) {
      pause(pauses);
      burn("operator");
      if (blocking && pauses.nextInt(4) == 0) {
        blocked = new CompletableFuture<>();
        if (troubled && pauses.nextInt(20) == 0) {
          blocked.completeExceptionally(new Planned("blocked"));
        } else {
          blocked.completeOnTimeout(null, pauses.nextInt(3), TimeUnit.MILLISECONDS);
        }
      }
    }

    @Override
    public CompletableFuture<Void> isBlocked() {
      return blocked;
    }
  }
}
