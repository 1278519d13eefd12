package io.ariadne.operator.aggregate.bridged;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.operator.Split;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/**
 * A range of partitions of all runs. This split merges them into one table and yields its groups.
 * When the table becomes too large, the range is repartitioned, range by range, so that the objects
 * of only one table are on the heap.
 */
final class BridgedPartition implements Split {
  private static final long MAX_CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final BridgedPartitions source;
  private final BridgedRange whole;

  /** Ranges that are still to be merged, the next one first. */
  private final Deque<BridgedRange> ranges = new ArrayDeque<>();

  /** Runs of repartitioned ranges; needed until the split is closed. */
  private final List<BridgedRun> divided = new ArrayList<>();

  private BridgedTable table;
  private BridgedOutput output;
  private long sequence;

  BridgedPartition(BridgedPartitions source, BridgedRange whole) {
    this.source = source;
    this.whole = whole;
    this.ranges.push(whole);
  }

  @Override
  public RecordBatch next() {
    if (table == null) {
      table = source.takeTable();
    }
    long start = System.nanoTime();
    while (output == null || output.isFinished()) {
      if (source.context().cancelled().getAsBoolean()) {
        throw new CancellationException("the operator was cancelled");
      }
      if (output != null) {
        endOutput();
      } else if (ranges.isEmpty()) {
        return null;
      } else {
        advance(ranges.peek());
      }
      if (System.nanoTime() - start > MAX_CALL_NANOS) {
        return emptyBatch();
      }
    }
    return output.next(sequence++);
  }

  private void advance(BridgedRange range) {
    if (!range.isMerged()) {
      range.mergeNext(table);
      return;
    }
    List<BridgedRun> runs = range.takeOverflow(table);
    ranges.pop();
    divided.addAll(runs);
    if (!runs.isEmpty()) {
      divide(runs, range.level() + 1);
    } else if (table.groupCount() > 0) {
      output = new BridgedOutput(table);
    }
  }

  private void divide(List<BridgedRun> runs, int level) {
    int divisions = BridgedRange.divisions(source.plan(), source.context(), runs);
    for (int i = divisions - 1; i >= 0; i--) {
      int first = HashPartitions.COUNT * i / divisions;
      int end = HashPartitions.COUNT * (i + 1) / divisions;
      ranges.push(new BridgedRange(runs, level, first, end));
    }
  }

  private void endOutput() {
    BridgedOutput read = output;
    output = null;
    read.close();
    table.reset();
  }

  @Override
  public long memoryInBytes() {
    return whole.heapBytes();
  }

  private RecordBatch emptyBatch() {
    try (BatchBuilder none = new BatchBuilder(source.schema(), source.context().allocator())) {
      return none.build(0);
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(output);
    ranges.forEach(closer::close);
    divided.forEach(closer::close);
    if (table != null) {
      closer.close(() -> source.giveBack(table));
    }
    closer.rethrow();
  }
}
