package io.ariadne.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.DictionaryEncoder;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Checks the contract of {@link Operator} under a random scheduler: polls at any time, pauses
 * between any two calls, revocation, several instances on several threads, cancellation, failing
 * allocations, and close at any point.
 *
 * <p>A subclass names a factory and its input. Every run must yield the rows that a plain run
 * yields. The operator's own tests check those rows.
 */
@Timeout(120)
public abstract class AbstractTestOperator {
  private static final int MAX_BATCHES = 6;

  private Backend backend;
  private RandomBatches batches;
  private Random random;

  /** Returns the columns of the input. */
  protected abstract Schema inputSchema();

  /** Returns what makes the operators under test; called once per case. */
  protected abstract OperatorFactory factory();

  /** Returns how many random cases to run. */
  protected int cases() {
    return 40;
  }

  /** Returns the most rows of a batch. */
  protected int maxRows() {
    return 3000;
  }

  /** Opens the back end the operators run on. */
  protected Backend openBackend() {
    return HostBackend.open();
  }

  /** Returns memory that kernels of the back end see; where it is not host memory, some. */
  protected BufferAllocator kernelAllocator(Backend opened, BufferAllocator allocator) {
    return allocator;
  }

  @BeforeEach
  void open() {
    backend = openBackend();
    batches = RandomBatches.create();
    random = batches.random();
  }

  @AfterEach
  void closeBackend() {
    if (backend != null) { // null when there is no such back end here
      backend.close();
    }
  }

  /** The input of one case, and the switch that cancels it. */
  private final class Case implements AutoCloseable {
    private final TestingAllocator allocator = new TestingAllocator();
    private final TestingAllocator inputAllocator = new TestingAllocator();
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final List<RecordBatch> inputs = new ArrayList<>();
    private final OperatorFactory factory = factory();

    private OperatorContext context() {
      return new OperatorContext(
          allocator,
          kernelAllocator(backend, allocator),
          backend,
          cancelled::get,
          ErrorReplay.PLAIN);
    }

    /** Fills in random input, of columns with and without dictionaries. */
    private Case fill(long seed) {
      return fill(seed, ColumnEncoding.MIXED);
    }

    /** Fills in random input; with a seed twice the same rows, however they are encoded. */
    private Case fill(long seed, ColumnEncoding encoding) {
      DictionaryEncoder encoder = new DictionaryEncoder(new Random(seed), inputAllocator);
      RandomBatches source = new RandomBatches(seed);
      for (int i = source.random().nextInt(MAX_BATCHES); i >= 0; i--) {
        int rows = source.random().nextInt(source.random().nextBoolean() ? 5 : maxRows());
        NullPattern[] patterns = NullPattern.values();
        NullPattern nulls = patterns[source.random().nextInt(patterns.length)];
        RecordBatch plain = source.batch(inputSchema(), rows, nulls, inputAllocator);
        inputs.add(encoder.encode(plain, encoding));
      }
      return this;
    }

    @Override
    public void close() {
      inputs.forEach(RecordBatch::close);
      allocator.assertNothingOpen();
      inputAllocator.assertNothingOpen();
    }
  }

  private List<List<Object>> drain(Operator operator) {
    List<List<Object>> rows = new ArrayList<>();
    for (RecordBatch batch = operator.getOutput(); batch != null; batch = operator.getOutput()) {
      rows.addAll(rows(batch));
    }
    return rows;
  }

  /** Reads a batch's rows, wherever they are, and closes it. */
  private List<List<Object>> rows(RecordBatch batch) {
    OperatorContext context = new OperatorContext(new TestingAllocator(), backend, () -> false);
    try (RecordBatch read = context.transfer().toHost(batch)) {
      return BatchAssertions.rows(read);
    }
  }

  private List<List<Object>> plainRun(long seed) {
    try (Case drawn = new Case().fill(seed, ColumnEncoding.PLAIN);
        Operator operator = drawn.factory.create(drawn.context())) {
      List<List<Object>> rows = new ArrayList<>();
      while (!drawn.inputs.isEmpty()) {
        operator.addInput(drawn.inputs.remove(0));
        rows.addAll(drain(operator));
      }
      operator.finish();
      rows.addAll(drain(operator));
      return rows;
    }
  }

  /** Makes one random legal call; returns the rows it yielded. */
  private List<List<Object>> step(Operator operator, List<RecordBatch> inputs, Random choice) {
    List<List<Object>> rows = new ArrayList<>();
    switch (choice.nextInt(4)) {
      case 0, 1 -> {
        if (!inputs.isEmpty() && operator.needsInput()) {
          operator.addInput(inputs.remove(0));
        } else if (inputs.isEmpty()) {
          operator.finish();
          assertFalse(operator.needsInput(), "wants input after finish");
        }
      }
      default -> {
        RecordBatch batch = operator.isBlocked().isDone() ? operator.getOutput() : null;
        if (batch != null) {
          rows.addAll(rows(batch));
        }
      }
    }
    return rows;
  }

  private List<List<Object>> randomRun(Operator operator, List<RecordBatch> inputs, long seed) {
    Random choice = new Random(seed);
    List<List<Object>> rows = new ArrayList<>();
    while (!operator.isFinished()) {
      rows.addAll(step(operator, inputs, choice));
    }
    assertNull(operator.getOutput(), "output after the end");
    return rows;
  }

  @Test
  void randomScheduleYieldsTheSameRows() {
    for (int i = 0; i < cases(); i++) {
      long seed = random.nextLong();
      List<List<Object>> expected = plainRun(seed);
      try (Case drawn = new Case().fill(seed);
          Operator operator = drawn.factory.create(drawn.context())) {
        List<List<Object>> rows = randomRun(operator, drawn.inputs, random.nextLong());
        BatchAssertions.assertRowsInOrder(expected, rows);
      }
    }
  }

  @Test
  void instancesOnSeveralThreadsShareNothing() throws Exception {
    int threads = 3;
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      for (int i = 0; i < cases() / 4; i++) {
        runOnThreads(executor, threads);
      }
    } finally {
      executor.shutdown();
    }
  }

  private void runOnThreads(ExecutorService executor, int threads)
      throws InterruptedException, ExecutionException {
    List<Long> seeds = random.longs(threads).boxed().toList();
    List<List<List<Object>>> expected = seeds.stream().map(this::plainRun).toList();
    List<Future<List<List<Object>>>> runs = new ArrayList<>();
    try (Case shared = new Case()) {
      for (long seed : seeds) {
        runs.add(
            executor.submit(
                () -> {
                  try (Case drawn = new Case().fill(seed);
                      Operator operator = shared.factory.create(drawn.context())) {
                    return randomRun(operator, drawn.inputs, seed);
                  }
                }));
      }
      for (int i = 0; i < threads; i++) {
        BatchAssertions.assertRowsInOrder(expected.get(i), runs.get(i).get());
      }
    }
  }

  @Test
  void closeAtAnyPointFreesEverything() {
    for (int i = 0; i < cases(); i++) {
      try (Case drawn = new Case().fill(random.nextLong());
          Operator operator = drawn.factory.create(drawn.context())) {
        for (int steps = random.nextInt(20); steps > 0 && !operator.isFinished(); steps--) {
          step(operator, drawn.inputs, random);
        }
      }
    }
  }

  @Test
  void cancellationEndsWithOrWithoutException() {
    for (int i = 0; i < cases(); i++) {
      try (Case drawn = new Case().fill(random.nextLong());
          Operator operator = drawn.factory.create(drawn.context())) {
        int before = random.nextInt(10);
        for (int steps = 0; steps < 20 && !operator.isFinished(); steps++) {
          drawn.cancelled.set(steps >= before);
          step(operator, drawn.inputs, random);
        }
      } catch (CancellationException cancelled) {
        assertEquals(CancellationException.class, cancelled.getClass());
      }
    }
  }

  @Test
  void failingAllocationFreesEverything() {
    for (int i = 0; i < cases(); i++) {
      try (Case drawn = new Case().fill(random.nextLong())) {
        drawn.allocator.failAfter(random.nextInt(12));
        try (Operator operator = drawn.factory.create(drawn.context())) {
          randomRun(operator, drawn.inputs, random.nextLong());
        } catch (EngineException e) {
          assertEquals(ErrorCode.OUT_OF_MEMORY, e.code(), e.toString());
        }
      }
    }
  }

  @Test
  void returnsTheUnchangedBatchThatIsRefusedMemory() {
    for (int i = 0; i < cases(); i++) {
      long seed = random.nextLong();
      List<List<Object>> expected = plainRun(seed);
      try (Case drawn = new Case().fill(seed);
          Operator operator = drawn.factory.create(drawn.context())) {
        List<List<Object>> rows = new ArrayList<>();
        boolean mayGoOn = true;
        while (mayGoOn && !drawn.inputs.isEmpty()) {
          mayGoOn = giveWithFailures(operator, drawn);
          rows.addAll(mayGoOn ? drain(operator) : List.of());
        }
        if (mayGoOn) {
          operator.finish();
          rows.addAll(drain(operator));
          BatchAssertions.assertRowsInOrder(expected, rows);
        }
      }
    }
  }

  /** Gives a batch while allocations fail, then what is handed back; false when nothing is. */
  private boolean giveWithFailures(Operator operator, Case drawn) {
    drawn.allocator.failAfter(random.nextInt(12));
    try {
      operator.addInput(drawn.inputs.remove(0));
      return true;
    } catch (EngineException e) {
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code(), e.toString());
      drawn.allocator.failAfter(Long.MAX_VALUE);
      RecordBatch refused = operator.takeUnprocessed();
      if (refused != null) {
        operator.addInput(refused);
      }
      return refused != null;
    } finally {
      drawn.allocator.failAfter(Long.MAX_VALUE);
    }
  }
}
