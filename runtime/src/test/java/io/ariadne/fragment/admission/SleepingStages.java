package io.ariadne.fragment.admission;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.fragment.FragmentTestFailures;
import io.ariadne.fragment.LongBatches;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.operator.SplitSourceFactory;
import io.ariadne.operator.UnprocessedBatch;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * The stages of the experiment E7 as parts of a pipeline: batches are real memory, work is sleep. A
 * batch of {@link #BATCH_BYTES} takes each stage {@link #BATCH_MILLIS}, a load twice that.
 */
final class SleepingStages {
  static final int LOADS = 160;
  static final int BATCHES_OF_LOAD = 5;
  static final int BATCH_BYTES = 5_000_000;
  static final long BATCH_MILLIS = 50;
  private static final int PAGE_BYTES = 4096;

  /** Batches of a stage that has not begun are not needed soon. */
  private static final SpillPlacement LATER =
      new SpillPlacement() {
        @Override
        public int distanceToUse() {
          return NEAR + 1;
        }

        @Override
        public boolean isActive() {
          return true;
        }
      };

  private SleepingStages() {}

  private static RecordBatch batch(BufferAllocator allocator, int bytes) {
    MemoryBuffer data = allocator.allocate(bytes);
    for (long at = 0; at < bytes; at += PAGE_BYTES) {
      data.putLong(at, at);
    }
    int rows = bytes / Long.BYTES;
    return new RecordBatch(
        LongBatches.SCHEMA,
        rows,
        List.of(ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, rows, data, null)),
        0);
  }

  /** Sleeps as long as work on that many rows takes. */
  private static void work(int rows) {
    FragmentTestFailures.pause(BATCH_MILLIS * rows * Long.BYTES / BATCH_BYTES);
  }

  /**
   * A scan of {@link #LOADS} splits.
   *
   * @param partitions batches of a split, which has the same bytes in any case
   */
  record Loads(int partitions) implements SplitSourceFactory {
    @Override
    public SplitSource create(OperatorContext context, Function<String, LongAdder> metrics) {
      AtomicInteger left = new AtomicInteger(LOADS);
      return new Splits() {
        @Override
        public Split next() {
          return left.getAndDecrement() > 0 ? new Load(context, partitions) : null;
        }
      };
    }
  }

  private abstract static class Splits implements SplitSource {
    @Override
    public Schema schema() {
      return LongBatches.SCHEMA;
    }

    @Override
    public void close() {}
  }

  private static final class Load implements Split {
    private final OperatorContext context;
    private final int naps;
    private int napsLeft;
    private int partitionsLeft;
    private boolean repeats;

    Load(OperatorContext context, int partitions) {
      this.context = context;
      this.naps = 2 * BATCHES_OF_LOAD / partitions;
      this.napsLeft = naps;
      this.partitionsLeft = partitions;
    }

    @Override
    public RecordBatch next() {
      if (partitionsLeft == 0) {
        return null;
      }
      if (napsLeft > 0) {
        napsLeft--;
        FragmentTestFailures.pause(BATCH_MILLIS);
      }
      repeats = napsLeft == 0;
      RecordBatch made = batch(context.allocator(), napsLeft > 0 ? 0 : BATCH_BYTES * (naps / 2));
      if (napsLeft == 0) {
        partitionsLeft--;
        napsLeft = naps;
      }
      return made;
    }

    @Override
    public boolean mayRepeat() {
      return repeats;
    }

    @Override
    public void close() {}
  }

  /** Makes a new batch of each batch, on the calling thread. */
  static final class Transform implements Operator {
    private final OperatorContext context;
    private final UnprocessedBatch unprocessed = new UnprocessedBatch();
    private RecordBatch output;
    private boolean finished;

    Transform(OperatorContext context) {
      this.context = context;
    }

    @Override
    public Schema outputSchema() {
      return LongBatches.SCHEMA;
    }

    @Override
    public boolean needsInput() {
      return !finished && output == null;
    }

    @Override
    public void addInput(RecordBatch input) {
      try {
        output = batch(context.allocator(), input.rowCount() * Long.BYTES);
      } catch (EngineException e) {
        unprocessed.keepOrClose(input, e);
        throw e;
      }
      work(input.rowCount());
      input.close();
    }

    @Override
    public RecordBatch takeUnprocessed() {
      return unprocessed.take();
    }

    @Override
    public RecordBatch getOutput() {
      RecordBatch taken = output;
      output = null;
      return taken;
    }

    @Override
    public void finish() {
      finished = true;
    }

    @Override
    public boolean isFinished() {
      return finished && output == null;
    }

    @Override
    public void close() {
      Closer closer = new Closer();
      closer.close(output);
      closer.close(unprocessed);
      closer.rethrow();
    }
  }

  /** Makes a small batch of each batch, on a device: the calling thread does not wait. */
  static final class Inference implements Operator {
    private final OperatorContext context;
    private final Executor device;
    private RecordBatch input;
    private CompletableFuture<Void> inferred = NOT_BLOCKED;
    private boolean finished;

    Inference(OperatorContext context, Executor device) {
      this.context = context;
      this.device = device;
    }

    @Override
    public Schema outputSchema() {
      return LongBatches.SCHEMA;
    }

    @Override
    public boolean needsInput() {
      return !finished && input == null;
    }

    @Override
    public void addInput(RecordBatch batch) {
      input = batch;
      int rows = batch.rowCount();
      inferred = CompletableFuture.runAsync(() -> work(rows), device);
    }

    @Override
    public CompletableFuture<Void> isBlocked() {
      return inferred;
    }

    @Override
    public RecordBatch getOutput() {
      if (input == null || !inferred.isDone()) {
        return null;
      }
      RecordBatch output = LongBatches.of(context.allocator(), 0, input.rowCount());
      input.close();
      input = null;
      return output;
    }

    @Override
    public void finish() {
      finished = true;
    }

    @Override
    public boolean isFinished() {
      return finished && input == null;
    }

    @Override
    public void close() {
      inferred.join();
      if (input != null) {
        input.close();
      }
    }
  }

  /** Ends a stage: keeps all batches, which may be spilled, then yields them in parallel. */
  static final class Barrier implements SinkOperator {
    private final OperatorContext context;
    private final Deque<SpillableBatch> kept = new ConcurrentLinkedDeque<>();

    Barrier(OperatorContext context) {
      this.context = context;
    }

    @Override
    public Schema outputSchema() {
      return LongBatches.SCHEMA;
    }

    @Override
    public SinkState newLocal() {
      return new SinkState() {
        @Override
        public void addInput(RecordBatch batch) {
          kept.add(context.spill().add(batch, LATER));
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void combine(SinkState local) {
      local.close();
    }

    @Override
    public void finish() {}

    @Override
    public RecordBatch getOutput() {
      return null;
    }

    @Override
    public boolean isFinished() {
      return true;
    }

    @Override
    public SplitSource takeSplits() {
      Deque<SpillableBatch> all = new ArrayDeque<>(kept);
      kept.clear();
      return new Splits() {
        @Override
        public Split next() {
          return all.isEmpty() ? null : new Kept(context, all.remove());
        }

        @Override
        public void close() {
          closeAll(all.iterator());
        }
      };
    }

    @Override
    public void close() {
      closeAll(kept.iterator());
    }

    private static void closeAll(Iterator<SpillableBatch> batches) {
      Closer closer = new Closer();
      batches.forEachRemaining(closer::close);
      closer.rethrow();
    }
  }

  private static final class Kept implements Split {
    private final OperatorContext context;
    private SpillableBatch batch;

    Kept(OperatorContext context, SpillableBatch batch) {
      this.context = context;
      this.batch = batch;
    }

    @Override
    public RecordBatch next() {
      if (batch == null) {
        return null;
      }
      RecordBatch taken = batch.take(context.allocator());
      batch = null;
      return taken;
    }

    @Override
    public boolean mayRepeat() {
      return true;
    }

    @Override
    public void close() {
      if (batch != null) {
        batch.close();
      }
    }
  }
}
