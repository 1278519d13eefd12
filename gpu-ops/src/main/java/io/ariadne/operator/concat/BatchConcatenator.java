package io.ariadne.operator.concat;

import io.ariadne.backend.BatchSize;
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
 * Concatenates small batches to one batch in host memory. It copies rows but no character data:
 * strings stay views into the heaps of their batches. Used by one thread at a time.
 *
 * <p>A column stays a dictionary column when all batches have the same dictionary; otherwise
 * dictionary columns are decoded. Decimals get the widest of the layouts that they have in the
 * batches. Batches with otherwise different layouts are not concatenated.
 */
public final class BatchConcatenator implements AutoCloseable {
  /** Every thread may collect so many bytes. */
  private static final long MIN_BYTES = 64 << 10;

  private final OperatorContext context;
  private final BufferAllocator allocator;
  private final List<RecordBatch> batches = new ArrayList<>();
  private final Set<Object> shared = Collections.newSetFromMap(new IdentityHashMap<>());
  private GatherKernel gather; // null until batches are concatenated
  private final BatchSize size;
  private final long fullBytes;
  private int rows;
  private long bytes;

  /**
   * Creates a concatenator without batches.
   *
   * @param context gives the back end and the memory that threads share
   * @param allocator allocates concatenated columns, in host memory
   * @param size which batches are small, and how large concatenated ones are; the shared heaps of
   *     the first batch do not count
   */
  public BatchConcatenator(OperatorContext context, BufferAllocator allocator, BatchSize size) {
    this.context = context;
    this.allocator = allocator;
    this.size = size;
    long capacity =
        Math.min(context.spill().capacityInBytes(), context.kernelSpill().capacityInBytes());
    long share = capacity / size.memoryShares() / context.threadCount();
    this.fullBytes = Math.max(MIN_BYTES, Math.min(size.fullBytes(), share));
  }

  /** Returns whether no batch is collected. */
  public boolean isEmpty() {
    return batches.isEmpty();
  }

  /** Returns whether the collected batches have enough rows or bytes for an output batch. */
  public boolean isFull() {
    return rows >= size.fullRows() || bytes >= fullBytes;
  }

  /** Returns whether a batch is small and can be concatenated with the collected batches. */
  public boolean takes(RecordBatch batch) {
    if (!isSmall(batch)) {
      return false;
    }
    for (int i = 0; !isEmpty() && i < batch.columnCount(); i++) {
      if (!fits(batch.column(i), batches.get(0).column(i))) {
        return false;
      }
    }
    return true;
  }

  /** The host concatenates: only few rows are worth a copy from the device. */
  private boolean isSmall(RecordBatch batch) {
    int limit =
        context.transfer().isOnHost(batch)
            ? size.smallRows()
            : Math.min(size.smallRows(), BatchSize.HOST.smallRows());
    return batch.rowCount() < limit;
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

  /** Collects a batch that {@link #takes} accepts, and takes ownership of it. */
  public void add(RecordBatch batch) {
    // The first batch retains its shared heaps, such as a join's build side, in any case.
    boolean isFirst = isEmpty();
    batches.add(batch);
    rows += batch.rowCount();
    bytes += batch.ownSizeInBytes();
    batch.visitShared((held, heldBytes) -> bytes += shared.add(held) && !isFirst ? heldBytes : 0);
  }

  /**
   * Concatenates and removes the collected batches, at least one, in order. When this throws, all
   * batches are still collected.
   *
   * @return a batch owned by the caller; a single batch is returned as it came
   */
  public RecordBatch take() {
    return batches.size() == 1 ? takeBatches().get(0) : concatenated();
  }

  /** Removes the collected batches and returns them as they came, owned by the caller. */
  public List<RecordBatch> takeBatches() {
    List<RecordBatch> taken = List.copyOf(batches);
    forget();
    return taken;
  }

  private RecordBatch concatenated() {
    batches.replaceAll(context.transfer()::moveToHost);
    List<ColumnVector> columns = new ArrayList<>();
    try {
      RecordBatch first = batches.get(0);
      for (int i = 0; i < first.columnCount(); i++) {
        columns.add(column(i));
      }
      RecordBatch concatenated = new RecordBatch(first.schema(), rows, columns, first.sequence());
      closeBatches();
      return concatenated;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      columns.forEach(closer::close);
      closer.suppressIn(e);
      throw e;
    }
  }

  private ColumnVector column(int index) {
    List<ColumnSlice> slices = new ArrayList<>();
    for (RecordBatch batch : batches) {
      slices.add(new ColumnSlice(batch.column(index), 0, batch.rowCount()));
    }
    return new ColumnConcatenator(allocator, ConcatenationPolicy.SHARE, gather())
        .concat(slices.get(0).column().type(), slices);
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
