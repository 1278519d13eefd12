package io.ariadne.operator.concat;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.concat.ColumnConcatenator;
import io.ariadne.columnar.concat.ColumnSlice;
import io.ariadne.columnar.concat.ConcatenationPolicy;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.column.GatherKernel;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Small batches on their way to one batch in host memory. Rows are copied, characters are not:
 * strings stay views into the heaps of the batches they came in. Used by one thread at a time.
 *
 * <p>Columns that all batches have of one dictionary stay coded by it; other dictionary columns are
 * decoded. Decimals, as narrow as the values of each batch allow, become as wide as the widest.
 * Other columns of different layouts are not combined.
 */
public final class BatchConcatenator implements AutoCloseable {
  /** Rows from which on a batch is not copied to save what it costs to pass it on. */
  static final int LARGE_ROWS = 4096;

  /** Rows of a combined batch, about. */
  static final int FULL_ROWS = 16_384;

  /** Bytes from which on no more batches are collected: their own, and heaps but the first's. */
  static final long FULL_BYTES = 16 << 20;

  /** The part of a memory space that all threads may collect, and what each may in any case. */
  private static final int SHARES = 32;

  private static final long LEAST_BYTES = 64 << 10;

  private final OperatorContext context;
  private final BufferAllocator allocator;
  private final List<RecordBatch> batches = new ArrayList<>();
  private final Set<Object> shared = Collections.newSetFromMap(new IdentityHashMap<>());
  private GatherKernel gather; // null until batches are combined
  private final long fullBytes;
  private int rows;
  private long bytes;

  /**
   * Starts with nothing.
   *
   * @param context surroundings
   * @param allocator memory of combined columns, of the host
   */
  public BatchConcatenator(OperatorContext context, BufferAllocator allocator) {
    this.context = context;
    this.allocator = allocator;
    int threads = Runtime.getRuntime().availableProcessors();
    long share = context.spill().capacityInBytes() / SHARES / threads;
    this.fullBytes = Math.max(LEAST_BYTES, Math.min(FULL_BYTES, share));
  }

  /** Returns whether there is no batch. */
  public boolean isEmpty() {
    return batches.isEmpty();
  }

  /** Returns whether there are as many rows, or bytes, as one batch should have. */
  public boolean isFull() {
    return rows >= FULL_ROWS || bytes >= fullBytes;
  }

  /** Returns whether a batch is small and can be combined with those that are here. */
  public boolean takes(RecordBatch batch) {
    if (batch.rowCount() >= LARGE_ROWS) {
      return false;
    }
    for (int i = 0; !isEmpty() && i < batch.columnCount(); i++) {
      if (!fits(batch.column(i), batches.get(0).column(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean fits(ColumnVector column, ColumnVector first) {
    PhysicalType layout = column.valueLayout();
    if (layout != first.valueLayout() && !(column.type() instanceof DecimalType)) {
      return false;
    }
    for (int i = 0; i < column.children().size(); i++) {
      if (!fits(column.children().get(i), first.children().get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Adds a batch that this takes, owned by this from now on. */
  public void add(RecordBatch batch) {
    // What one batch shares with others, such as a join's build side, it holds alone as well.
    boolean isFirst = isEmpty();
    batches.add(batch);
    rows += batch.rowCount();
    bytes += batch.ownSizeInBytes();
    batch.visitShared((held, heldBytes) -> bytes += shared.add(held) && !isFirst ? heldBytes : 0);
  }

  /**
   * Returns all rows, of at least one batch, in order; there are none here afterwards. When this
   * throws, all batches are still here.
   *
   * @return a batch owned by the caller; the only one as it came
   */
  public RecordBatch take() {
    return batches.size() == 1 ? takeBatches().get(0) : combined();
  }

  /** Returns the batches as they came, owned by the caller; there are none here afterwards. */
  public List<RecordBatch> takeBatches() {
    List<RecordBatch> taken = List.copyOf(batches);
    forget();
    return taken;
  }

  private RecordBatch combined() {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      RecordBatch first = batches.get(0);
      for (int i = 0; i < first.columnCount(); i++) {
        columns.add(column(i));
      }
      RecordBatch combined = new RecordBatch(first.schema(), rows, columns, first.sequence());
      closeBatches();
      return combined;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private ColumnVector column(int index) {
    List<ColumnSlice> slices = new ArrayList<>();
    List<ColumnVector> copies = new ArrayList<>();
    try {
      for (RecordBatch batch : batches) {
        ColumnVector column = batch.column(index);
        if (!context.transfer().isOnHost(column)) {
          column = context.transfer().copyToHost(column);
          copies.add(column);
        }
        slices.add(new ColumnSlice(column, 0, batch.rowCount()));
      }
      return new ColumnConcatenator(allocator, ConcatenationPolicy.SHARE, gather())
          .concat(slices.get(0).column().type(), slices);
    } finally {
      Closer closer = new Closer();
      copies.forEach(closer::close);
      closer.rethrow();
    }
  }

  private GatherKernel gather() {
    if (gather == null) {
      gather = new GatherKernel(context.backend().host(), allocator);
    }
    return gather;
  }

  private void closeBatches() {
    Closer closer = new Closer();
    batches.forEach(closer::close);
    forget();
    closer.rethrow();
  }

  private void forget() {
    batches.clear();
    shared.clear();
    rows = 0;
    bytes = 0;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(this::closeBatches);
    closer.close(gather);
    gather = null;
    closer.rethrow();
  }
}
