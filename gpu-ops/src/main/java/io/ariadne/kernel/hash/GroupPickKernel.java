package io.ariadne.kernel.hash;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelCall;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.GroupPickArgsLayout;
import io.ariadne.kernel.abi.PickPhase;
import io.ariadne.kernel.abi.PickedValueLayout;
import io.ariadne.kernel.column.HeapTables;

/**
 * Keeps one of the values of each group in the group's record. Used by one thread at a time. The
 * kernel and the layout of a pick are in {@code aggregate/group_pick.cuh}.
 *
 * <p>Picked long strings stay in their heaps until {@link #settle} moves them. This must happen
 * before the batch or the table that they come from is closed.
 */
public final class GroupPickKernel implements AutoCloseable {
  /** Bytes of a pick in a record, and their alignment within it. */
  public static final int SIZE_IN_BYTES = PickedValueLayout.SIZE_IN_BYTES;

  /** A prefix that is greater than every string. */
  private static final long LEAST_PREFIX = 0xffffffffL << Integer.SIZE;

  private static final String KERNEL_NAME = "group_pick";

  private final KernelCall call;
  private final ArgumentBlock arguments;
  private final HeapTables heaps;

  /**
   * A pick.
   *
   * @param rule which value
   * @param kind layout of the values
   * @param skipsNulls whether a row with a null value does not count; always true for the least and
   *     the greatest string
   * @param offset offset in a record, a multiple of 16
   */
  public record Place(PickRule rule, PhysicalType kind, boolean skipsNulls, int offset) {
    /** Returns whether values may lie in a heap. */
    public boolean isText() {
      return kind == PhysicalType.VIEW16;
    }
  }

  /**
   * The records of groups.
   *
   * @param buffer the records, in kernel memory
   * @param firstRecord the first record to use
   * @param strideInBytes bytes of each, a multiple of 16
   * @param heap picked long strings, or null when there are none
   */
  public record Records(
      MemoryBuffer buffer, long firstRecord, int strideInBytes, MemoryBuffer heap) {
    private long address() {
      return buffer.address() + firstRecord * strideInBytes;
    }

    private long heapAddress() {
      return heap == null ? 0 : heap.address();
    }
  }

  /** Bytes that long strings take: those that are not in the heap yet, and those that are. */
  public record Sizes(long foreign, long settled) {}

  /**
   * Prepares launches.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   */
  public GroupPickKernel(Backend backend, BufferAllocator allocator) {
    this.call =
        new KernelCall(
            backend,
            KERNEL_NAME,
            GroupPickArgsLayout.SIZE_IN_BYTES,
            GroupPickArgsLayout.STATUS_OFFSET);
    this.arguments = call.arguments();
    this.heaps = new HeapTables(backend, allocator);
  }

  /** Writes the pick of a group without rows to host memory. */
  public static void initialize(PickRule rule, long address) {
    Memory.fill(address, SIZE_IN_BYTES, (byte) 0);
    if (rule == PickRule.LEAST) {
      Memory.putLong(address + PickedValueLayout.LOW_OFFSET, LEAST_PREFIX);
    } else if (rule == PickRule.FIRST) {
      Memory.putLong(address + PickedValueLayout.ORDER_OFFSET, -1L);
    }
  }

  /**
   * Updates the picks with the rows of a batch.
   *
   * @param place the pick
   * @param records of the groups
   * @param value the values, in the layout of the pick
   * @param kept BOOLEAN: rows that count, null is false; null for all rows
   * @param groupIds the group of each row, 32 bits, or null when all belong to the first group
   * @param firstOrder the number of row 0, greater than 0
   * @return whether there are long strings to settle
   */
  public boolean update(
      Place place,
      Records records,
      ColumnVector value,
      ColumnVector kept,
      MemoryBuffer groupIds,
      long firstOrder) {
    fill(place, records);
    fillColumn(GroupPickArgsLayout.VALUE_OFFSET, value);
    fillColumn(GroupPickArgsLayout.KEPT_OFFSET, kept);
    arguments.putLong(GroupPickArgsLayout.SOURCE_OFFSET, 0);
    arguments.putLong(GroupPickArgsLayout.FIRST_ORDER_OFFSET, firstOrder);
    return take(groupIds, value.rowCount());
  }

  /**
   * Updates the picks with the picks of other groups.
   *
   * @param place the pick
   * @param records of the groups
   * @param source records of the other groups
   * @param groupIds the group of each, 32 bits, or null when all belong to the first group
   * @param count how many
   * @return whether there are long strings to settle
   */
  public boolean combine(
      Place place, Records records, Records source, MemoryBuffer groupIds, int count) {
    fill(place, records);
    arguments.putInt(
        GroupPickArgsLayout.VALUE_OFFSET + ColumnViewLayout.KIND_OFFSET, place.kind().code());
    arguments.putLong(GroupPickArgsLayout.SOURCE_OFFSET, source.address());
    arguments.putLong(GroupPickArgsLayout.SOURCE_HEAP_OFFSET, source.heapAddress());
    return take(groupIds, count);
  }

  private boolean take(MemoryBuffer groupIds, int rows) {
    long ids = groupIds == null ? 0 : groupIds.address();
    arguments.putLong(GroupPickArgsLayout.GROUP_IDS_OFFSET, ids);
    arguments.putInt(GroupPickArgsLayout.PHASE_OFFSET, PickPhase.PICK_UPDATE);
    arguments.putInt(GroupPickArgsLayout.ROWS_OFFSET, rows);
    call.run(rows);
    return call.status().needed() != 0;
  }

  /**
   * Returns how many bytes the long strings of picks take.
   *
   * @param places picks of strings
   * @param records of the groups
   * @param count how many groups
   */
  public Sizes sizes(Iterable<Place> places, Records records, int count) {
    launchAll(places, records, PickPhase.PICK_SIZE, count);
    return new Sizes(call.status().detail(0), call.status().detail(1));
  }

  /**
   * Moves long strings to a heap: those that are not in the records' heap, or all when the target
   * is another heap. The batches and tables that they came from may be closed afterwards.
   *
   * @param places picks of strings
   * @param records of the groups
   * @param count how many groups
   * @param target the heap, large enough for the moved strings
   * @param used how many bytes of it are in use
   * @return how many bytes of it are in use now
   */
  public long settle(
      Iterable<Place> places, Records records, int count, MemoryBuffer target, long used) {
    arguments.putLong(GroupPickArgsLayout.TARGET_HEAP_OFFSET, target.address());
    arguments.putLong(GroupPickArgsLayout.HEAP_USED_OFFSET, used);
    launchAll(places, records, PickPhase.PICK_SETTLE, count);
    return used + call.status().rowsOut();
  }

  private void launchAll(Iterable<Place> places, Records records, int phase, int count) {
    arguments.putInt(GroupPickArgsLayout.PHASE_OFFSET, phase);
    arguments.putInt(GroupPickArgsLayout.ROWS_OFFSET, count);
    call.begin();
    for (Place place : places) {
      fill(place, records);
      arguments.putInt(
          GroupPickArgsLayout.VALUE_OFFSET + ColumnViewLayout.KIND_OFFSET, place.kind().code());
      call.launch(count);
    }
    call.await();
  }

  private void fill(Place place, Records records) {
    arguments.putLong(GroupPickArgsLayout.RECORDS_OFFSET, records.address());
    arguments.putLong(GroupPickArgsLayout.HEAP_OFFSET, records.heapAddress());
    arguments.putInt(GroupPickArgsLayout.STRIDE_OFFSET, records.strideInBytes());
    arguments.putInt(GroupPickArgsLayout.OFFSET_OFFSET, place.offset());
    arguments.putInt(GroupPickArgsLayout.RULE_OFFSET, place.rule().code());
    arguments.putInt(GroupPickArgsLayout.SKIPS_NULLS_OFFSET, place.skipsNulls() ? 1 : 0);
  }

  private void fillColumn(int view, ColumnVector column) {
    boolean isThere = column != null;
    boolean hasNulls = isThere && column.mayHaveNulls();
    arguments.putLong(view + ColumnViewLayout.DATA_OFFSET, isThere ? column.data().address() : 0);
    arguments.putLong(
        view + ColumnViewLayout.VALIDITY_OFFSET, hasNulls ? column.validity().address() : 0);
    arguments.putLong(view + ColumnViewLayout.HEAPS_OFFSET, isThere ? heaps.addressOf(column) : 0);
    arguments.putInt(
        view + ColumnViewLayout.KIND_OFFSET, isThere ? column.physicalType().code() : 0);
  }

  /** Frees the tables that kernels used to read batches; no long strings may be left to settle. */
  public void release() {
    heaps.release();
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(heaps);
    closer.close(call);
    closer.rethrow();
  }
}
