package io.ariadne.fragment;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.SplitSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sums values by their remainder and yields, per remainder, one row {@code sum * groups +
 * remainder}. Holds a buffer per state, so that the leak check finds a state that is not closed.
 */
public class TestingSink implements SinkOperator {
  /** Rows of an output batch. */
  private static final int ROWS_PER_BATCH = 3;

  /** Calls that a local state needs to finish. */
  private static final int STEPS_TO_FINISH = 3;

  private final OperatorContext context;
  private final int groups;
  private final Runnable onOutput;
  private final MemoryBuffer held;
  private final Map<Long, Long> sums = new TreeMap<>();
  private final AtomicInteger locals = new AtomicInteger();
  private final AtomicInteger inside = new AtomicInteger();
  private boolean finished;
  private boolean yieldsSplits;
  private Runnable onLocalFinish = () -> {};

  /** Creates a sink that hands its output over in splits. */
  static TestingSink ofSplits(OperatorContext context, int groups) {
    TestingSink sink = new TestingSink(context, groups);
    sink.yieldsSplits = true;
    return sink;
  }

  /** Creates a sink with at most this many groups. */
  public TestingSink(OperatorContext context, int groups) {
    this(context, groups, () -> {});
  }

  /** Creates a sink that does something each time it is asked for output. */
  TestingSink(OperatorContext context, int groups, Runnable onOutput) {
    this.context = context;
    this.onOutput = onOutput;
    this.groups = groups;
    this.held = context.allocator().allocate(64);
  }

  /** Sets what each step of a local state's end does, on the thread that does it. */
  TestingSink onLocalFinish(Runnable action) {
    onLocalFinish = action;
    return this;
  }

  /** Returns the row for a remainder's sum. */
  static long row(long remainder, long sum, int groups) {
    return sum * groups + remainder;
  }

  /** One thread's sums. */
  private final class Local implements SinkState {
    private final MemoryBuffer buffer = context.allocator().allocate(128);
    private final Map<Long, Long> partial = new TreeMap<>();
    private int stepsLeft = STEPS_TO_FINISH;

    @Override
    public void addInput(RecordBatch batch) {
      if (stepsLeft < STEPS_TO_FINISH) {
        batch.close();
        throw new IllegalStateException("input after the state began to finish");
      }
      for (long value : LongBatches.drain(batch)) {
        partial.merge(Math.floorMod(value, (long) groups), value, Long::sum);
      }
    }

    @Override
    public boolean finish() {
      if (stepsLeft == 0) {
        throw new IllegalStateException("the state has finished before");
      }
      onLocalFinish.run();
      stepsLeft--;
      return stepsLeft == 0;
    }

    @Override
    public boolean mayRepeat() {
      return TestingSink.this.mayRepeat();
    }

    @Override
    public void close() {
      locals.decrementAndGet();
      buffer.close();
    }
  }

  @Override
  public Schema outputSchema() {
    return LongBatches.SCHEMA;
  }

  @Override
  public SinkState newLocal() {
    Local local = new Local(); // may find no memory; the runtime then repeats the call
    locals.incrementAndGet();
    return local;
  }

  @Override
  public void combine(SinkState local) {
    try (local) {
      enter();
      if (((Local) local).stepsLeft > 0) {
        throw new IllegalStateException("the local state was not finished");
      }
      ((Local) local).partial.forEach((key, sum) -> sums.merge(key, sum, Long::sum));
      inside.decrementAndGet();
    }
  }

  @Override
  public void finish() {
    enter();
    if (locals.get() != 0) {
      throw new IllegalStateException(locals.get() + " local states are not combined");
    }
    finished = true;
    inside.decrementAndGet();
  }

  @Override
  public RecordBatch getOutput() {
    enter();
    onOutput.run();
    long[] rows = new long[Math.min(ROWS_PER_BATCH, sums.size())];
    if (!finished) {
      throw new IllegalStateException("output before finish");
    }
    for (int i = 0; i < rows.length; i++) {
      long key = sums.keySet().iterator().next();
      rows[i] = row(key, sums.remove(key), groups);
    }
    inside.decrementAndGet();
    return rows.length == 0 ? null : LongBatches.of(context.allocator(), 0, rows);
  }

  @Override
  public SplitSource takeSplits() {
    if (!yieldsSplits) {
      return null;
    }
    List<List<TestingScan.BatchMaker>> splits = new ArrayList<>();
    sums.forEach(
        (key, sum) -> {
          long row = row(key, sum, groups);
          splits.add(List.of(allocator -> LongBatches.of(allocator, 0, row)));
        });
    sums.clear();
    return new TestingScan(LongBatches.SCHEMA, splits).create(context, name -> new LongAdder());
  }

  @Override
  public boolean isFinished() {
    return finished && sums.isEmpty();
  }

  @Override
  public void close() {
    held.close();
  }

  private void enter() {
    if (inside.incrementAndGet() != 1) {
      throw new IllegalStateException("two threads are in the sink");
    }
  }
}
