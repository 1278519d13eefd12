package io.ariadne.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.DictionaryEncoder;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.spill.EagerSpillSpace;
import io.ariadne.spill.SpillSpace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the contract of {@link SinkOperator} under a random scheduler: any distribution of batches
 * to local states on several threads, any order of combines, revocation, cancellation, failing
 * allocations, and close at any point.
 *
 * <p>A subclass names a factory and its input. Every run must yield the multiset of rows that one
 * local state yields. The operator's own tests check those rows.
 */
@Timeout(120)
public abstract class AbstractTestSinkOperator {
  private static final int MAX_BATCHES = 8;
  private static final int THREADS = 3;

  @TempDir private Path folder;

  private Backend backend;
  private Random random;

  /** Returns the columns of the input. */
  protected abstract Schema inputSchema();

  /** Returns what makes the sinks under test; called once per case. */
  protected abstract SinkOperatorFactory factory();

  /** Returns how many random cases to run. */
  protected int cases() {
    return 15;
  }

  /** Returns the most rows of a batch. */
  protected int maxRows() {
    return 3000;
  }

  /** Opens the back end the sinks run on. */
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
    random = RandomBatches.create().random();
  }

  @AfterEach
  void closeBackend() {
    if (backend != null) { // null when there is no such back end here
      backend.close();
    }
  }

  /** One sink with its input and local states; close frees what the sink was not given. */
  private final class Case implements AutoCloseable {
    private final TestingAllocator allocator = new TestingAllocator();
    private final TestingAllocator inputAllocator = new TestingAllocator();
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final List<RecordBatch> inputs = new ArrayList<>();
    private final List<SinkState> locals = Collections.synchronizedList(new ArrayList<>());
    private final Set<SinkState> finished = ConcurrentHashMap.newKeySet();
    private SinkOperator sink;

    /** Where what the sink keeps goes at once; null when it stays in memory. */
    private EagerSpillSpace disk;

    /** Draws random input; with a seed twice the same rows, however they are encoded. */
    Case(long seed, ColumnEncoding encoding) {
      DictionaryEncoder encoder = new DictionaryEncoder(new Random(seed), inputAllocator);
      RandomBatches source = new RandomBatches(seed);
      for (int i = source.random().nextInt(MAX_BATCHES); i > 0; i--) {
        int rows = source.random().nextInt(source.random().nextBoolean() ? 5 : maxRows());
        NullPattern[] patterns = NullPattern.values();
        NullPattern nulls = patterns[source.random().nextInt(patterns.length)];
        RecordBatch plain = source.batch(inputSchema(), rows, nulls, inputAllocator);
        inputs.add(encoder.encode(plain, encoding));
      }
    }

    private void openSink() {
      BufferAllocator kernels = kernelAllocator(backend, allocator);
      boolean isOnHost = kernels.tier() == MemoryTier.HOST;
      disk = isOnHost && random.nextBoolean() ? new EagerSpillSpace(folder) : null;
      SpillSpace kernelSpill = disk == null ? SpillSpace.unmoved(kernels.tier()) : disk;
      sink =
          factory()
              .create(
                  new OperatorContext(
                      allocator,
                      kernels,
                      backend,
                      cancelled::get,
                      ErrorReplay.PLAIN,
                      disk == null ? SpillSpace.unmoved(MemoryTier.HOST) : disk,
                      kernelSpill,
                      2));
    }

    private SinkState newLocal() {
      SinkState local = sink.newLocal();
      locals.add(local);
      return local;
    }

    private void combineAll() {
      Collections.shuffle(locals, random);
      locals.forEach(local -> finish(local, random.nextInt(4)));
      while (!locals.isEmpty()) {
        sink.combine(locals.remove(locals.size() - 1));
      }
      assertFalse(sink.isFinished(), "finished before finish");
      sink.finish();
    }

    /** Does none, some or all parts of a state's end, unless all are done. */
    private void finish(SinkState local, int parts) {
      boolean more = !finished.contains(local);
      for (int i = 0; more && i < parts; i++) {
        if (local.finish()) {
          finished.add(local);
          more = false;
        }
      }
    }

    private List<List<Object>> drain() {
      List<List<Object>> rows = new ArrayList<>();
      while (!sink.isFinished()) {
        RecordBatch batch = sink.getOutput();
        if (batch != null) {
          rows.addAll(rows(batch));
        }
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

    @Override
    public void close() {
      inputs.forEach(RecordBatch::close);
      locals.forEach(SinkState::close);
      if (sink != null) {
        sink.close();
      }
      if (disk != null) {
        disk.close();
      }
      allocator.assertNothingOpen();
      inputAllocator.assertNothingOpen();
    }
  }

  private List<List<Object>> plainRun(long seed) {
    try (Case drawn = new Case(seed, ColumnEncoding.PLAIN)) {
      drawn.openSink();
      SinkState local = drawn.newLocal();
      while (!drawn.inputs.isEmpty()) {
        local.addInput(drawn.inputs.remove(0));
      }
      drawn.combineAll();
      return drawn.drain();
    }
  }

  /** Feeds all batches to random local states; stops after some steps. */
  private void feed(Case drawn, int steps) {
    for (int i = 0; i < steps && !drawn.inputs.isEmpty(); i++) {
      if (drawn.locals.isEmpty() || random.nextInt(4) == 0) {
        drawn.newLocal();
      }
      SinkState local = drawn.locals.get(random.nextInt(drawn.locals.size()));
      local.addInput(drawn.inputs.remove(random.nextInt(drawn.inputs.size())));
    }
  }

  @Test
  void anyDistributionToLocalStatesYieldsTheSameRows() {
    for (int i = 0; i < cases(); i++) {
      long seed = random.nextLong();
      List<List<Object>> expected = plainRun(seed);
      try (Case drawn = new Case(seed, ColumnEncoding.MIXED)) {
        drawn.openSink();
        feed(drawn, Integer.MAX_VALUE);
        drawn.combineAll();
        BatchAssertions.assertRowsInAnyOrder(expected, drawn.drain());
      }
    }
  }

  @Test
  void severalThreadsYieldTheSameRows() throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    try {
      for (int i = 0; i < cases() / 3; i++) {
        long seed = random.nextLong();
        List<List<Object>> expected = plainRun(seed);
        try (Case drawn = new Case(seed, ColumnEncoding.MIXED)) {
          drawn.openSink();
          feedOnThreads(executor, drawn);
          drawn.combineAll();
          BatchAssertions.assertRowsInAnyOrder(expected, drawn.drain());
        }
      }
    } finally {
      executor.shutdown();
    }
  }

  private static void feedOnThreads(ExecutorService executor, Case drawn) throws Exception {
    List<Future<?>> runs = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      List<RecordBatch> share = new ArrayList<>();
      for (int i = t; i < drawn.inputs.size(); i += THREADS) {
        share.add(drawn.inputs.get(i));
      }
      runs.add(
          executor.submit(
              () -> {
                SinkState local = drawn.newLocal();
                share.forEach(local::addInput);
                drawn.finish(local, Integer.MAX_VALUE);
              }));
    }
    drawn.inputs.clear();
    for (Future<?> run : runs) {
      run.get();
    }
  }

  @Test
  void closeAtAnyPointFreesEverything() {
    for (int i = 0; i < cases(); i++) {
      try (Case drawn = new Case(random.nextLong(), ColumnEncoding.MIXED)) {
        drawn.openSink();
        feed(drawn, random.nextInt(MAX_BATCHES));
        if (random.nextBoolean()) {
          drawn.combineAll();
          RecordBatch batch = drawn.sink.getOutput();
          if (batch != null) {
            batch.close();
          }
        }
      }
    }
  }

  @Test
  void cancellationEndsWithOrWithoutException() {
    for (int i = 0; i < cases(); i++) {
      try (Case drawn = new Case(random.nextLong(), ColumnEncoding.MIXED)) {
        drawn.openSink();
        feed(drawn, random.nextInt(MAX_BATCHES));
        drawn.cancelled.set(true);
        feed(drawn, Integer.MAX_VALUE);
      } catch (CancellationException cancelled) {
        assertEquals(CancellationException.class, cancelled.getClass());
      }
    }
  }

  /** Returns how many in a hundred takes that are refused memory must be done again at least. */
  protected int leastHandedBack() {
    return 50;
  }

  /** The n-th allocation of some takes fails, and all after it until the take ends. */
  @Test
  void returnsTheUnchangedBatchThatIsRefusedMemory() {
    int refusals = 0;
    int handedBack = 0;
    for (int i = 0; i < cases(); i++) {
      long seed = random.nextLong();
      List<List<Object>> expected = plainRun(seed);
      try (Case drawn = new Case(seed, ColumnEncoding.MIXED)) {
        drawn.openSink();
        SinkState local = drawn.newLocal();
        Take take = Take.DONE;
        while (take != Take.LOST && !drawn.inputs.isEmpty()) {
          take = takeWithFailures(local, drawn, random.nextInt(1 << random.nextInt(7)));
          refusals += take == Take.DONE ? 0 : 1;
          handedBack += take == Take.AGAIN ? 1 : 0;
        }
        if (take != Take.LOST) {
          drawn.combineAll();
          BatchAssertions.assertRowsInAnyOrder(expected, drawn.drain());
        }
      }
    }
    assertTrue(
        handedBack * 100L >= (long) refusals * leastHandedBack(),
        handedBack + " of " + refusals + " refused batches were handed back");
  }

  /** What came of a take. */
  private enum Take {
    DONE,
    AGAIN,
    LOST
  }

  /** Gives a batch while an allocation and all after it fail, then what is handed back. */
  private Take takeWithFailures(SinkState local, Case drawn, int allowed) {
    drawn.allocator.failAfter(allowed);
    try {
      local.addInput(drawn.inputs.remove(0));
      return Take.DONE;
    } catch (EngineException e) {
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code(), e.toString());
      drawn.allocator.failAfter(Long.MAX_VALUE);
      RecordBatch refused = local.takeUnprocessed();
      if (refused == null) {
        return Take.LOST;
      }
      local.addInput(refused);
      return Take.AGAIN;
    } finally {
      drawn.allocator.failAfter(Long.MAX_VALUE);
    }
  }

  @Test
  void failingAllocationFreesEverything() {
    for (int i = 0; i < cases(); i++) {
      try (Case drawn = new Case(random.nextLong(), ColumnEncoding.MIXED)) {
        drawn.allocator.failAfter(random.nextInt(40));
        try {
          drawn.openSink();
          feed(drawn, Integer.MAX_VALUE);
          drawn.combineAll();
          drawn.drain();
        } catch (EngineException e) {
          assertEquals(ErrorCode.OUT_OF_MEMORY, e.code(), e.toString());
        }
      }
    }
  }
}
