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
 * What the picks of a table need besides its records: a heap for long strings. It holds what is
 * picked and what was before; when there is no room left, the former moves to a new one. Nothing of
 * a batch is held longer than the batch. Used by one thread at a time.
 */
final class PickTable implements AutoCloseable {
  private static final long LEAST_BYTES = 4096;
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
   * Takes the rows of a batch in.
   *
   * @param inputs says which columns
   * @param columns what was computed of the batch
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
   * Takes the picks of other groups in.
   *
   * @param source the records of those, in order
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

  /** Copies strings that are elsewhere to the heap, which is made larger when it must. */
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
    long more = Math.max(LEAST_BYTES, Math.max(Math.min(live, DOUBLED_BYTES), live / LARGE_SHARE));
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

  /** Returns the bytes of the heap that are taken. */
  long heapBytes() {
    return used;
  }

  /** Returns the long strings, which stay here; null when there are none. */
  MemoryBuffer heap() {
    return heap;
  }

  /** Hands the long strings to the caller and forgets them; null when there are none. */
  MemoryBuffer takeHeap() {
    MemoryBuffer taken = heap;
    heap = null;
    used = 0;
    return taken;
  }

  /** Moves the long strings to where the host reads them; nothing more is taken in. */
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
