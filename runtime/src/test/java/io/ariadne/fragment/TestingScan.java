package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.operator.SplitSourceFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * A scan of one execution whose splits yield given batches; subclasses add trouble. Checks the
 * protocol of its callers. Each open split holds a buffer, so that the leak check finds a split
 * that is not closed.
 */
public class TestingScan implements SplitSourceFactory {
  /** Makes one batch. */
  @FunctionalInterface
  interface BatchMaker {
    RecordBatch make(BufferAllocator allocator);
  }

  private final Schema schema;
  private final List<List<BatchMaker>> splits;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger yielded = new AtomicInteger();
  private final AtomicBoolean misused = new AtomicBoolean();
  private volatile int returned;
  private volatile boolean closed;

  /** Creates a scan whose splits make these batches. */
  public TestingScan(Schema schema, List<List<BatchMaker>> splits) {
    this.schema = schema;
    this.splits = splits;
  }

  /** Creates a scan with splits of as many batches of values each. */
  static TestingScan of(int splitCount, int batchesPerSplit, int rowsPerBatch) {
    return new TestingScan(LongBatches.SCHEMA, splits(splitCount, batchesPerSplit, rowsPerBatch));
  }

  /** Returns splits of consecutive values from 0. */
  public static List<List<BatchMaker>> splits(
      int splitCount, int batchesPerSplit, int rowsPerBatch) {
    List<long[]> all = TestingRuntimes.batches(splitCount * batchesPerSplit, rowsPerBatch);
    List<List<BatchMaker>> splits = new ArrayList<>();
    for (int i = 0; i < splitCount; i++) {
      splits.add(
          all.subList(i * batchesPerSplit, (i + 1) * batchesPerSplit).stream()
              .map(TestingScan::batch)
              .toList());
    }
    return splits;
  }

  /** Returns what makes a batch of values. */
  static BatchMaker batch(long... values) {
    return allocator -> LongBatches.of(allocator, 0, values);
  }

  /** Does something before a split is returned, or the end if there is none of that number. */
  protected void beforeSplit(int split) {}

  /** Does something before a batch of a split is returned, or its end. */
  protected void beforeBatch(int split, int batch) {}

  /** Returns whether there is no memory for a batch of a split, before the call has any effect. */
  protected boolean isRefused(int split, int batch) {
    return false;
  }

  /** Returns what a split waits for before a batch. */
  protected CompletableFuture<Void> blocked(int split, int batch) {
    return Operator.NOT_BLOCKED;
  }

  /** Returns what a split says it holds. */
  protected long memoryInBytes(int split) {
    return 0;
  }

  /** Does something when a split is closed. */
  protected void onClose(int split) {}

  /** Returns how many splits were returned. */
  int returned() {
    return returned;
  }

  /** Returns how many splits were asked for a batch. */
  int started() {
    return started.get();
  }

  /** Returns how many batches were returned. */
  int yielded() {
    return yielded.get();
  }

  /** Checks that everything was closed once, in the right order, and the protocol was kept. */
  void assertClosed() {
    assertEquals(0, open.get(), "open splits");
    assertTrue(closed, "the scan is open");
    assertTrue(!misused.get(), "the protocol was broken");
  }

  @Override
  public SplitSource create(OperatorContext context, Function<String, LongAdder> metrics) {
    return new Source(context, metrics.apply("splits"));
  }

  private void check(boolean condition) {
    if (!condition) {
      misused.set(true);
      throw new IllegalStateException("the scan is misused");
    }
  }

  private final class Source implements SplitSource {
    private final OperatorContext context;
    private final LongAdder figure;
    private final AtomicInteger inside = new AtomicInteger();
    private int next;
    private boolean over;

    Source(OperatorContext context, LongAdder figure) {
      this.context = context;
      this.figure = figure;
    }

    @Override
    public Schema schema() {
      return schema;
    }

    @Override
    public Split next() {
      check(inside.incrementAndGet() == 1 && !over && !closed);
      over = true;
      beforeSplit(next);
      boolean end = next == splits.size();
      Split split = end ? null : new TestingSplit(context.allocator(), next++);
      returned = next;
      figure.add(end ? 0 : 1);
      over = end;
      inside.decrementAndGet();
      return split;
    }

    @Override
    public void close() {
      check(inside.get() == 0 || over);
      check(!closed && open.get() == 0);
      closed = true;
    }
  }

  private final class TestingSplit implements Split {
    private final BufferAllocator allocator;
    private final MemoryBuffer held;
    private final int number;
    private final AtomicInteger inside = new AtomicInteger();
    private CompletableFuture<Void> waits;
    private int next;
    private boolean over;
    private boolean splitClosed;
    private boolean refused;

    TestingSplit(BufferAllocator allocator, int number) {
      this.allocator = allocator;
      this.held = allocator.allocate(64);
      this.number = number;
      open.incrementAndGet();
    }

    @Override
    public RecordBatch next() {
      refused = isRefused(number, next);
      if (refused) {
        throw new EngineException(ErrorCode.OUT_OF_MEMORY, "no memory for batch " + next);
      }
      check(inside.incrementAndGet() == 1 && !over && !splitClosed);
      check(waits != null && waits.isDone() && !waits.isCompletedExceptionally());
      waits = null;
      over = true;
      if (next == 0) {
        started.incrementAndGet();
      }
      beforeBatch(number, next);
      List<BatchMaker> batches = splits.get(number);
      boolean end = next == batches.size();
      RecordBatch batch = end ? null : batches.get(next++).make(allocator);
      yielded.addAndGet(end ? 0 : 1);
      over = end;
      inside.decrementAndGet();
      return batch;
    }

    @Override
    public boolean mayRepeat() {
      return refused;
    }

    @Override
    public long memoryInBytes() {
      return TestingScan.this.memoryInBytes(number);
    }

    @Override
    public CompletableFuture<Void> isBlocked() {
      check(!splitClosed);
      if (waits == null) {
        waits = blocked(number, next);
      }
      return waits;
    }

    @Override
    public void close() {
      check(!splitClosed && (inside.get() == 0 || over));
      splitClosed = true;
      held.close();
      open.decrementAndGet();
      onClose(number);
    }
  }
}
