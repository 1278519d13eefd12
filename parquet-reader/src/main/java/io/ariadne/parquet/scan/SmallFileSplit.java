package io.ariadne.parquet.scan;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.Split;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A small slice of a file, opened when it is first driven: splits are driven side by side, so the
 * footers of many small files are read by all threads, each file only when a thread is free for it.
 */
final class SmallFileSplit implements Split {
  /** Bytes of a slice that is read as a whole by one thread. */
  static final long MAX_BYTES = 4 << 20;

  /** How much larger than in the file a row group is while it is read, estimated. */
  private static final long EXPANSION = 4;

  private final ParquetSplitSource source;
  private final FileSlice slice;
  private final long number;
  private Deque<Split> splits;

  /**
   * Creates a split.
   *
   * @param source opens the file
   * @param slice what to read
   * @param number its place among the slices
   */
  SmallFileSplit(ParquetSplitSource source, FileSlice slice, long number) {
    this.source = source;
    this.slice = slice;
    this.number = number;
  }

  @Override
  public RecordBatch next() {
    if (splits == null) {
      splits = new ArrayDeque<>(source.open(slice, number));
    }
    while (!splits.isEmpty()) {
      source.checkCancelled();
      RecordBatch batch = splits.peek().next();
      if (batch != null) {
        return batch;
      }
      splits.poll().close();
    }
    return null;
  }

  @Override
  public long memoryInBytes() {
    return slice.lengthInBytes() * EXPANSION;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    if (splits != null) {
      splits.forEach(closer::close);
      splits.clear();
    }
    closer.rethrow();
  }
}
