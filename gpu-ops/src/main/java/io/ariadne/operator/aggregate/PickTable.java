package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.kernel.hash.GroupPickKernel;
import io.ariadne.kernel.hash.GroupPickKernel.Place;
import io.ariadne.kernel.hash.GroupPickKernel.Records;
import io.ariadne.operator.OperatorContext;
import java.util.List;

/**
 * The heap of the long strings that a table's picks refer to. It holds picked strings and earlier
 * ones that were replaced; when it is full, the picked strings move to a new heap. No string of a
 * batch is referenced after the batch. Used by one thread at a time.
 */
final class PickTable implements AutoCloseable {
  private static final long MIN_BYTES = 4096;
  private static final long DOUBLED_BYTES = 64L << 20;
  private static final int LARGE_SHARE = 4;

  private final AccumulatorLayout layout;
  private final OperatorContext context;
  private final GroupPickKernel kernel;
  private final List<Place> places;
  private final List<Place> texts;

  /** Null until there is a long string. */
  private MemoryBuffer heap;

  private long used;

  PickTable(AccumulatorLayout layout, OperatorContext context) {
    this.layout = layout;
    this.context = context;
    this.places = layout.picks();
    this.texts = places.stream().filter(Place::isText).toList();
    this.kernel = new GroupPickKernel(context.backend(), context.kernelAllocator());
  }

  private Records records(AccumulatorTable table) {
    return new Records(table.buffer(), 0, layout.strideInBytes(), heap);
  }

  /**
   * Updates the picks with the rows of a batch.
   *
   * @param inputs tells which columns are read
   * @param columns the computed columns of the batch
   * @param groupIds the group of each row, or null without keys
   * @param firstOrder the number of the batch's first row
   * @param table the records
   */
  void update(
      PickInputs inputs,
      List<ColumnVector> columns,
      MemoryBuffer groupIds,
      long firstOrder,
      AccumulatorTable table) {
    boolean hasForeign = false;
    for (int i = 0; i < places.size(); i++) {
      ColumnVector value = inputs.value(i, columns);
      ColumnVector kept = inputs.kept(i, columns);
      hasForeign |= kernel.update(places.get(i), records(table), value, kept, groupIds, firstOrder);
    }
    settle(hasForeign, table);
    kernel.release();
  }

  /**
   * Updates the picks with the picks of other groups.
   *
   * @param source the records of those groups, in order
   * @param groupIds the group of each, or null without keys
   * @param count how many
   * @param table the records
   */
  void combine(Records source, MemoryBuffer groupIds, int count, AccumulatorTable table) {
    boolean hasForeign = false;
    for (Place place : places) {
      hasForeign |= kernel.combine(place, records(table), source, groupIds, count);
    }
    settle(hasForeign, table);
  }

  /**
   * Copies picked strings of other heaps to this heap; replaces it by a larger one when it is full.
   */
  private void settle(boolean hasForeign, AccumulatorTable table) {
    if (!hasForeign) {
      return;
    }
    int groups = table.groupCount();
    Records records = records(table);
    GroupPickKernel.Sizes sizes = kernel.sizes(texts, records, groups);
    if (heap != null && used + sizes.foreign() <= heap.capacityInBytes()) {
      used = kernel.settle(texts, records, groups, heap, used);
      return;
    }
    long live = sizes.foreign() + sizes.settled();
    long more = Math.max(MIN_BYTES, Math.max(Math.min(live, DOUBLED_BYTES), live / LARGE_SHARE));
    MemoryBuffer larger = context.kernelAllocator().allocate(live + more);
    try {
      used = kernel.settle(texts, records, groups, larger, 0);
    } catch (RuntimeException | Error e) {
      larger.close();
      throw e;
    }
    closeHeap();
    heap = larger;
  }

  /** Returns how many bytes of the heap are used. */
  long heapBytes() {
    return used;
  }

  /** Returns the heap, which stays here; null when there are no long strings. */
  MemoryBuffer heap() {
    return heap;
  }

  /** Removes the heap and returns it, owned by the caller; null when there are no long strings. */
  MemoryBuffer takeHeap() {
    MemoryBuffer taken = heap;
    heap = null;
    used = 0;
    return taken;
  }

  /** Moves the heap to host memory; nothing is picked any more. */
  void moveToHost() {
    if (heap != null && !ColumnTransfer.isOnHost(heap)) {
      MemoryBuffer host = context.transfer().copyToHost(heap);
      heap.close();
      heap = host;
    }
  }

  private void closeHeap() {
    if (heap != null) {
      heap.close();
      heap = null;
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(this::closeHeap);
    closer.close(kernel);
    closer.rethrow();
  }
}
