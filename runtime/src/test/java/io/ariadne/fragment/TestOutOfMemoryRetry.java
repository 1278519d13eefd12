package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.limit.LimitOperatorFactory;
import io.ariadne.pipeline.plan.LocalPlan;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that batches and calls are offered again after operators found no memory for them. */
class TestOutOfMemoryRetry extends AbstractTestFragment {
  private static final int ROWS = 500;

  private final AtomicInteger refusals = new AtomicInteger();
  private final CountDownLatch refused = new CountDownLatch(1);

  @BeforeEach
  void retryWithoutPauses() {
    restart(config(2, 0));
  }

  private static RuntimeConfig config(int threads, long retryPauseMillis) {
    RuntimeConfig config = RuntimeConfig.of(threads, 64 << 20);
    return config.withMemory(config.memory().withRetryPause(retryPauseMillis));
  }

  private EngineException refusal() {
    refusals.incrementAndGet();
    refused.countDown();
    return new EngineException(ErrorCode.OUT_OF_MEMORY, "the pool is full");
  }

  /** Passes batches through, but throws OUT_OF_MEMORY for some before it has any effect. */
  private final class Refusing implements Operator {
    private final TestingOperator passing;
    private final Predicate<RecordBatch> refuses;
    private final boolean handsBack;
    private RecordBatch refused;

    Refusing(OperatorContext context, Predicate<RecordBatch> refuses, boolean handsBack) {
      this.passing = new TestingOperator(context, values -> new long[][] {values});
      this.refuses = refuses;
      this.handsBack = handsBack;
    }

    @Override
    public Schema outputSchema() {
      return passing.outputSchema();
    }

    @Override
    public boolean needsInput() {
      return passing.needsInput();
    }

    @Override
    public void addInput(RecordBatch batch) {
      if (!refuses.test(batch)) {
        passing.addInput(batch);
      } else if (handsBack) {
        refused = batch;
        throw refusal();
      } else {
        batch.close();
        throw refusal();
      }
    }

    @Override
    public RecordBatch takeUnprocessed() {
      RecordBatch taken = refused;
      refused = null;
      return taken;
    }

    @Override
    public RecordBatch getOutput() {
      return passing.getOutput();
    }

    @Override
    public void finish() {
      passing.finish();
    }

    @Override
    public boolean isFinished() {
      return passing.isFinished();
    }

    @Override
    public void close() {
      passing.close();
    }
  }

  private OperatorFactory refusing(Predicate<RecordBatch> refuses) {
    return context -> new Refusing(context, refuses, true);
  }

  private void assertSurvives(Predicate<RecordBatch> refuses) throws Exception {
    OperatorFactory factory = refusing(refuses);
    OperatorFactory passing = TestingOperator.passing();
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(passing, factory, passing), source(8, ROWS))) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, 8 * ROWS).toArray(), values);
    }
    assertTrue(refusals.get() > 0, "nothing was refused");
    try (FragmentExecution execution =
        execute(TestingRuntimes.grouped(7, passing, factory), source(8, ROWS))) {
      long[] rows = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(FragmentModel.grouped(LongStream.range(0, 8 * ROWS), 7), rows);
    }
  }

  @Test
  void repeatsBatchesUntilThereIsMemory() throws Exception {
    Map<Long, Integer> calls = new ConcurrentHashMap<>();
    assertSurvives(batch -> calls.merge(batch.sequence(), 1, Integer::sum) % 3 > 0);
  }

  @Test
  void halvesBatchesUntilTheyFit() throws Exception {
    assertSurvives(batch -> batch.rowCount() > 40);
    assertTrue(refusals.get() < 8 * 2 * 32, refusals + " refusals");
  }

  @Test
  void halvesBatchesDownToOneRow() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    assertSurvives(batch -> calls.incrementAndGet() < 40 && batch.rowCount() > 1);
  }

  @Test
  void failsWhenNotEvenOneRowFits() throws Exception {
    OperatorFactory factory = refusing(batch -> true);
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(factory), source(2, ROWS))) {
      EngineException e =
          assertThrows(EngineException.class, () -> watch(() -> TestingRuntimes.drain(execution)));
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      String message = e.getMessage();
      assertTrue(message.contains("Refusing of node 1 for batch 0 of no task"), message);
      assertTrue(message.contains("memory was refused "), message);
      assertTrue(message.contains("for 1 rows at once: the pool is full"), message);
    }
    assertTrue(refusals.get() < 2 * 32, refusals + " refusals");
  }

  @Test
  void doesNotRepeatBatchesThatHadAnEffect() throws Exception {
    OperatorFactory factory = context -> new Refusing(context, batch -> true, false);
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(factory), source(1, ROWS))) {
      EngineException e =
          assertThrows(EngineException.class, () -> watch(() -> TestingRuntimes.drain(execution)));
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
    }
    assertEquals(1, refusals.get());
  }

  @Test
  void cancelsDuringThePauseBeforeARetry() throws Exception {
    restart(config(2, 600_000));
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(refusing(batch -> true)), source(2, ROWS))) {
      Thread canceller =
          new Thread(
              () -> {
                FragmentTestFailures.await(refused);
                execution.cancel();
              });
      canceller.start();
      assertThrows(
          CancellationException.class, () -> watch(() -> TestingRuntimes.drain(execution)));
      FragmentTestFailures.join(canceller);
    }
  }

  private SinkOperatorFactory refusingSink() {
    return context ->
        new TestingSink(context, 7) {
          @Override
          public SinkState newLocal() {
            return new RefusingState(super.newLocal());
          }

          @Override
          public void combine(SinkState local) {
            super.combine(((RefusingState) local).state);
          }
        };
  }

  @Test
  void repeatsBatchesForSinkStates() throws Exception {
    LocalPlan plan = TestingRuntimes.grouped(refusingSink(), TestingOperator.passing());
    try (FragmentExecution execution = execute(plan, source(8, ROWS))) {
      long[] rows = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(FragmentModel.grouped(LongStream.range(0, 8 * ROWS), 7), rows);
    }
    assertTrue(refusals.get() > 8, refusals + " refusals");
  }

  @Test
  void repeatsBatchesForSinkStatesBehindAFinishedOperator() throws Exception {
    restart(config(1, 0));
    OperatorFactory limit = new LimitOperatorFactory(LongBatches.SCHEMA, 0, 3 * ROWS);
    OperatorFactory failsLater =
        TestingOperator.mapping(
            values -> {
              if (values[0] >= 3 * ROWS) {
                throw new IllegalStateException("these rows are not needed");
              }
              return new long[][] {values};
            });
    LocalPlan plan = TestingRuntimes.grouped(refusingSink(), failsLater, limit);
    try (FragmentExecution execution = execute(plan, source(8, ROWS))) {
      long[] rows = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(FragmentModel.grouped(LongStream.range(0, 3 * ROWS), 7), rows);
    }
    assertTrue(refusals.get() > 0, "no batch was refused");
  }

  /** Throws OUT_OF_MEMORY for two batches of three. */
  private final class RefusingState implements SinkState {
    private final SinkState state;
    private int calls;
    private RecordBatch refused;

    RefusingState(SinkState state) {
      this.state = state;
    }

    @Override
    public void addInput(RecordBatch batch) {
      if (++calls % 3 > 0) {
        refused = batch;
        throw refusal();
      }
      state.addInput(batch);
    }

    @Override
    public RecordBatch takeUnprocessed() {
      RecordBatch taken = refused;
      refused = null;
      return taken;
    }

    @Override
    public boolean finish() {
      return state.finish();
    }

    @Override
    public void close() {
      state.close();
    }
  }

  /** Throws OUT_OF_MEMORY in every third call, or in every call, before it has any effect. */
  private final class Failing extends TestingOperator {
    private final boolean alwaysFails;
    private final boolean mayRepeat;
    private int calls;

    Failing(OperatorContext context, boolean alwaysFails, boolean mayRepeat) {
      super(context, values -> new long[][] {values});
      this.alwaysFails = alwaysFails;
      this.mayRepeat = mayRepeat;
    }

    private void call() {
      if (alwaysFails || calls++ % 3 == 0) {
        throw refusal();
      }
    }

    @Override
    public RecordBatch getOutput() {
      if (!needsInput() && !isFinished()) {
        call();
      }
      return super.getOutput();
    }

    @Override
    public void finish() {
      call();
      super.finish();
    }

    @Override
    public boolean mayRepeat() {
      return mayRepeat;
    }
  }

  @Test
  void repeatsCallsThatFindNoMemory() throws Exception {
    OperatorFactory failing = context -> new Failing(context, false, true);
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(failing, failing), source(4, ROWS))) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, 4 * ROWS).toArray(), values);
    }
    assertTrue(refusals.get() > 0, "no call failed");
  }

  @Test
  void failsWhenACallNeverFindsMemory() throws Exception {
    OperatorFactory failing = context -> new Failing(context, true, true);
    String message = messageOf(TestingRuntimes.pipeline(failing));
    assertTrue(message.contains("memory was refused 11 times"), message);
    assertTrue(message.contains("Failing of node 1"), message);
  }

  @Test
  void failsWhenACallMayNotBeRepeated() throws Exception {
    OperatorFactory failing = context -> new Failing(context, true, false);
    String message = messageOf(TestingRuntimes.pipeline(failing));
    assertEquals(1, refusals.get());
    assertFalse(message.contains("memory was refused"), message);
  }

  private String messageOf(LocalPlan plan) {
    try (FragmentExecution execution = execute(plan, source(1, ROWS))) {
      EngineException e =
          assertThrows(EngineException.class, () -> watch(() -> TestingRuntimes.drain(execution)));
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      return e.getMessage();
    }
  }

  @Test
  void createsOperatorsAgainThatFindNoMemory() throws Exception {
    OperatorFactory factory =
        context -> {
          if (refusals.get() < 2) {
            throw refusal();
          }
          return TestingOperator.passing().create(context);
        };
    OperatorFactory passing = TestingOperator.passing();
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(passing, factory), source(4, ROWS))) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, 4 * ROWS).toArray(), values);
    }
    assertEquals(2, refusals.get());
  }

  /** Fails the first calls of finish, of each local state and of the sink, and of getOutput. */
  private final class FailingSink extends TestingSink {
    private final AtomicInteger finishes = new AtomicInteger();
    private final AtomicInteger outputs = new AtomicInteger();

    private final AtomicInteger localFinishes = new AtomicInteger();

    FailingSink(OperatorContext context) {
      super(context, 7);
      onLocalFinish(
          () -> {
            if (localFinishes.incrementAndGet() % 2 == 1) {
              throw refusal();
            }
          });
    }

    @Override
    public void finish() {
      if (finishes.incrementAndGet() < 3) {
        throw refusal();
      }
      super.finish();
    }

    @Override
    public RecordBatch getOutput() {
      if (outputs.incrementAndGet() % 2 == 1) {
        throw refusal();
      }
      return super.getOutput();
    }

    @Override
    public boolean mayRepeat() {
      return true;
    }
  }

  @Test
  void repeatsCallsOfSinksThatFindNoMemory() throws Exception {
    try (FragmentExecution execution =
        execute(TestingRuntimes.grouped(FailingSink::new), source(8, ROWS))) {
      long[] rows = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(FragmentModel.grouped(LongStream.range(0, 8 * ROWS), 7), rows);
    }
    // Two of the sink's finish, one of the first output, one of a local state's first step.
    assertTrue(refusals.get() >= 4, refusals + " calls failed");
  }

  @Test
  void repeatsBatchesOfSplitsThatFindNoMemory() throws Exception {
    TestingScan scan =
        new TestingScan(LongBatches.SCHEMA, TestingScan.splits(3, 4, 10)) {
          private final Set<Integer> refused = ConcurrentHashMap.newKeySet();

          @Override
          protected boolean isRefused(int split, int batch) {
            boolean isFirst = refused.add(split * 100 + batch);
            refusals.addAndGet(isFirst ? 1 : 0);
            return isFirst;
          }
        };
    PipelinePlan plan =
        new PipelinePlan(
            new PipelineInput.Scan(0, 0, LongBatches.SCHEMA),
            List.of(),
            null,
            PipelinePlan.ANY,
            true);
    LocalPlan scanning = new LocalPlan(List.of(plan), LongBatches.SCHEMA);
    try (FragmentExecution execution =
        runtime.execute(scanning, List.of(), List.of(scan), TaskEnvironment.NONE)) {
      long[] values = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(LongStream.range(0, 120).toArray(), values);
    }
    scan.assertClosed();
    assertEquals(3 * 5, refusals.get(), "batches and ends of splits");
  }
}
