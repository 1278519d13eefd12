package io.ariadne.parquet.scan;

import io.ariadne.backend.BatchSize;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.concat.BatchConcatenator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A split of several small slices of files, each opened when it is reached. Since splits are driven
 * concurrently, all threads read the footers of many small files.
 *
 * <p>Small batches of several slices are combined, because each batch has a fixed cost.
 */
final class SmallFilesSplit implements Split {
  /** Largest slice that one thread reads as a whole, and the limit for several together. */
  static final long MAX_BYTES = 4 << 20;

  /** Most slices that are read together. */
  static final int MAX_SLICES = 16;

  /** Estimated ratio of the memory for reading a row group to its size in the file. */
  private static final long EXPANSION = 4;

  private static final long TURN_NANOS = 20_000_000;

  private final ParquetSplitSource source;
  private final Deque<SliceOpening> slices;
  private final long heldBytes;
  private final Deque<Split> splits = new ArrayDeque<>();
  private final BatchConcatenator combination;

  /** What follows the combined rows: a batch or a failure. */
  private RecordBatch next;

  private Throwable failure;

  /**
   * Creates a split.
   *
   * @param source tells whether the scan is cancelled
   * @param slices what to read, in order, at least one; ownership passes to the split
   * @param context of the device that decodes columns; without one, of the host
   * @param allocator memory of combined batches, on the host
   */
  SmallFilesSplit(
      ParquetSplitSource source,
      List<SliceOpening> slices,
      OperatorContext context,
      BufferAllocator allocator) {
    this.source = source;
    this.slices = new ArrayDeque<>(slices);
    this.combination = new BatchConcatenator(context, allocator, BatchSize.HOST);
    this.heldBytes =
        slices.stream().mapToLong(slice -> slice.slice().lengthInBytes()).sum() * EXPANSION;
  }

  @Override
  public RecordBatch next() {
    long end = System.nanoTime() + TURN_NANOS;
    while (next == null && failure == null && !combination.isFull() && System.nanoTime() < end) {
      if (!isReadBlocked().isDone() || !collect()) {
        break;
      }
    }
    if (!combination.isEmpty()) {
      return combination.take();
    }
    if (failure != null) {
      throw rethrown(failure);
    }
    if (next != null) {
      RecordBatch batch = next;
      next = null;
      return batch;
    }
    return read();
  }

  @Override
  public CompletableFuture<Void> isBlocked() {
    boolean hasNext = next != null || failure != null || !combination.isEmpty();
    return hasNext ? Operator.NOT_BLOCKED : isReadBlocked();
  }

  /** Returns what to wait for before the next batch of a slice; complete at the end. */
  private CompletableFuture<Void> isReadBlocked() {
    if (!splits.isEmpty()) {
      return splits.element().isBlocked();
    }
    return slices.isEmpty() ? Operator.NOT_BLOCKED : slices.element().isBlocked();
  }

  /** Adds the next batch to the combined rows, or keeps it for later; returns false at the end. */
  private boolean collect() {
    try {
      RecordBatch batch = read();
      if (batch == null) {
        return false;
      }
      if (batch.rowCount() == 0) {
        batch.close();
      } else if (combination.takes(batch)) {
        combination.add(batch);
      } else {
        next = batch;
      }
      return true;
    } catch (RuntimeException | Error e) {
      failure = e; // thrown after the rows before it
      return true;
    }
  }

  private static RuntimeException rethrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return (RuntimeException) failure;
  }

  /**
   * Returns the next batch of a slice, null when all slices are at their end. A batch has no rows
   * if reading is blocked.
   */
  private RecordBatch read() {
    while (!splits.isEmpty() || !slices.isEmpty()) {
      source.checkCancelled();
      if (!isReadBlocked().isDone()) {
        return source.emptyBatch();
      }
      if (splits.isEmpty()) {
        splits.addAll(slices.remove().take());
        continue;
      }
      RecordBatch batch = splits.element().next();
      if (batch != null) {
        return batch;
      }
      splits.remove().close();
    }
    return null;
  }

  @Override
  public long memoryInBytes() {
    return heldBytes;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(next);
    next = null;
    closer.close(combination);
    splits.forEach(closer::close);
    splits.clear();
    slices.forEach(closer::close);
    slices.clear();
    closer.rethrow();
  }
}
