package io.ariadne.kernel.hash;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.GroupAssignArgsLayout;
import io.ariadne.kernel.abi.GroupPartLayout;
import io.ariadne.kernel.abi.GroupPhase;
import io.ariadne.kernel.abi.GroupStateLayout;
import io.ariadne.kernel.column.HeapTables;
import java.util.ArrayList;
import java.util.List;

/**
 * A growing hash table of distinct keys that finds the group number of each row of a batch.
 *
 * <p>Groups are numbered from 0 in the order of their first rows, on every back end. Keys are equal
 * as Spark groups them: null equals null, NaN equals NaN, -0.0 equals 0.0. Used by one thread at a
 * time. The layout of keys is that of {@code hash/group_assign.cuh}.
 */
public final class GroupTable implements AutoCloseable {
  private static final String KERNEL_NAME = "group_assign";
  private static final int INITIAL_SLOTS = 2048;
  private static final int INITIAL_GROUPS = 1024;
  private static final int INITIAL_HEAP_BYTES = 4096;
  private static final int MAX_SLOTS = 1 << 30;
  private static final int HEADER_WORDS = 2;
  private static final int COUNTER_ROWS = 1024;
  private static final int FIXED_COUNTERS = 4;

  /** Key heaps double up to this size and grow by smaller steps after it. */
  private static final long DOUBLED_HEAP_BYTES = 64L << 20;

  private static final int LARGE_HEAP_SHARE = 4;

  private final Backend backend;
  private final BufferAllocator allocator;
  private final KernelFunction kernel;
  private final List<PhysicalType> keyKinds;
  private final int keyWords;
  private final ArgumentBlock arguments;
  private final KernelStatus status;
  private final HeapTables heaps;
  private MemoryBuffer state;
  private MemoryBuffer slots;
  private MemoryBuffer groupKeys;
  private MemoryBuffer keyHeap;

  /** The heap of the table after a reset; null until {@link #prepareReset} allocates it. */
  private MemoryBuffer spareHeap;

  private int slotCount;
  private int groupCapacity;
  private int groupCount;
  private long keyHeapUsed;
  private boolean isAppending;

  /**
   * Creates an empty table.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   * @param keyKinds layout of each key column, the same in every batch
   */
  public GroupTable(Backend backend, BufferAllocator allocator, List<PhysicalType> keyKinds) {
    this(backend, allocator, keyKinds, INITIAL_GROUPS);
  }

  /**
   * Creates an empty table of a size.
   *
   * @param backend where the kernel runs
   * @param allocator memory of the back end's tier
   * @param keyKinds layout of each key column, the same in every batch
   * @param expectedGroups how many groups it holds before it grows
   */
  public GroupTable(
      Backend backend, BufferAllocator allocator, List<PhysicalType> keyKinds, int expectedGroups) {
    this.groupCapacity = Math.max(INITIAL_GROUPS, Math.min(expectedGroups, MAX_SLOTS / 4));
    this.slotCount = Math.max(INITIAL_SLOTS, Integer.highestOneBit(groupCapacity) * 4);
    this.backend = backend;
    this.allocator = allocator;
    this.kernel = backend.kernel(KERNEL_NAME);
    this.keyKinds = List.copyOf(keyKinds);
    this.keyWords = keyWordsOf(keyKinds);
    this.status = backend.newStatus();
    this.heaps = new HeapTables(backend, allocator);
    this.arguments = new ArgumentBlock(GroupAssignArgsLayout.SIZE_IN_BYTES);
    try {
      this.state = cleared(GroupStateLayout.SIZE_IN_BYTES);
      this.slots = cleared((long) slotCount * Long.BYTES);
      this.groupKeys = allocator.allocate((long) groupCapacity * keyWords * Long.BYTES);
      this.keyHeap = allocator.allocate(INITIAL_HEAP_BYTES);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Returns how many 64-bit words a key of a layout takes in a group's key. */
  public static int wordsOf(PhysicalType kind) {
    return kind == PhysicalType.I128 || kind == PhysicalType.VIEW16 ? 2 : 1;
  }

  /** Returns how many 64-bit words a group's key has. */
  public static int keyWordsOf(List<PhysicalType> keyKinds) {
    return HEADER_WORDS + keyKinds.stream().mapToInt(GroupTable::wordsOf).sum();
  }

  /** Returns how many groups the table has. */
  public int groupCount() {
    return groupCount;
  }

  /** Returns how many bytes the groups' keys take, with long strings. */
  public long keyBytes() {
    return (long) groupCount * keyWords * Long.BYTES + keyHeapUsed;
  }

  /** Returns whether any key is a long string. */
  public boolean hasLongKeys() {
    return keyHeapUsed > 0;
  }

  /** Returns how many 64-bit words a group has in {@link #groupKeys()}. */
  public int keyWords() {
    return keyWords;
  }

  /**
   * Returns the groups' keys. A group has a hash, a word whose bit k tells that key k is null, then
   * the words of the keys, 0 for null. Floats are doubles. The second word of a string that is
   * longer than 12 bytes is its offset in {@link #keyHeap()}.
   */
  public MemoryBuffer groupKeys() {
    return groupKeys;
  }

  /** Returns the bytes of the groups' long strings. */
  public MemoryBuffer keyHeap() {
    return keyHeap;
  }

  /**
   * Removes the heap of the groups' long strings and returns it, owned by the caller; the table
   * takes no more rows until a reset.
   */
  public MemoryBuffer takeKeyHeap() {
    MemoryBuffer heap = keyHeap;
    keyHeap = null;
    return heap;
  }

  /** Allocates the memory that {@link #reset} needs after the key heap was taken. */
  public void prepareReset() {
    if (spareHeap == null) {
      spareHeap = allocator.allocate(INITIAL_HEAP_BYTES);
    }
  }

  /** Removes all groups, also after the key heap was taken; keeps the size of the table. */
  public void reset() {
    if (keyHeap == null) {
      prepareReset();
      keyHeap = spareHeap;
      spareHeap = null;
    }
    backend.clear(state, 0, state.capacityInBytes());
    backend.clear(slots, 0, slots.capacityInBytes());
    groupCount = 0;
    keyHeapUsed = 0;
  }

  /**
   * Finds the group of each row; adds groups for new keys.
   *
   * @param keys key columns in the layouts of the table
   * @param rowCount rows of each
   * @param groupIds receives a 32-bit number per row
   */
  public void assign(List<ColumnVector> keys, int rowCount, MemoryBuffer groupIds) {
    fillSource(0, 0);
    assignKeys(keys, false, rowCount, groupIds);
  }

  /**
   * Adds a group for each row, whatever its key. Such keys are found only after another table has
   * added the groups with {@link #assignGroups}.
   *
   * @param keys key columns in the layouts of the table
   * @param rowCount rows of each
   * @param groupIds receives a 32-bit number per row
   */
  public void append(List<ColumnVector> keys, int rowCount, MemoryBuffer groupIds) {
    fillSource(0, 0);
    assignKeys(keys, true, rowCount, groupIds);
  }

  /**
   * Finds the groups of other tables' groups, with equal layouts; adds groups for new keys.
   *
   * @param groups the groups
   * @param groupIds receives a 32-bit number per group
   */
  public void assignGroups(GroupSlice groups, MemoryBuffer groupIds) {
    takeGroups(groups, false, groupIds);
  }

  /** Adds each of the groups as a new group; otherwise as {@link #append}. */
  public void appendGroups(GroupSlice groups, MemoryBuffer groupIds) {
    takeGroups(groups, true, groupIds);
  }

  private void takeGroups(GroupSlice groups, boolean append, MemoryBuffer groupIds) {
    long first = groups.firstGroup() * keyWords * Long.BYTES;
    fillSource(groups.keys().address() + first, groups.heap().address());
    assignKeys(List.of(), append, groups.count(), groupIds);
  }

  private void assignKeys(
      List<ColumnVector> keys, boolean append, int rowCount, MemoryBuffer groupIds) {
    List<MemoryBuffer> scratch = new ArrayList<>();
    try {
      fillKeys(keys);
      isAppending = append;
      arguments.putInt(GroupAssignArgsLayout.APPEND_OFFSET, append ? 1 : 0);
      MemoryBuffer newGroups = allocator.allocate((long) rowCount * Integer.BYTES);
      scratch.add(newGroups);
      fillArguments(rowCount, groupIds, newGroups);
      if (backend.isBlockParallel()) {
        addWorkspace(rowCount, scratch);
      }
      assignRows(rowCount, scratch);
    } finally {
      scratch.forEach(MemoryBuffer::close);
      heaps.release();
    }
  }

  private void assignRows(int rowCount, List<MemoryBuffer> scratch) {
    int firstRow = 0;
    int newGroups = 0;
    while (true) {
      arguments.putInt(GroupAssignArgsLayout.FIRST_ROW_OFFSET, firstRow);
      arguments.putInt(GroupAssignArgsLayout.NEW_GROUP_BASE_OFFSET, newGroups);
      status.clear();
      if (backend.isBlockParallel()) {
        MemoryBuffer counters = scratch.get(scratch.size() - 2);
        backend.clear(counters, 0, counters.capacityInBytes());
        for (int phase = GroupPhase.GROUP_NORMALIZE; phase <= GroupPhase.GROUP_RESOLVE; phase++) {
          launch(phase, rowCount);
        }
      } else {
        launch(GroupPhase.GROUP_INSERT, rowCount);
      }
      int before = groupCount;
      awaitState();
      newGroups += groupCount - before;
      firstRow += Math.toIntExact(status.rowsOut());
      if (status.needed() == 0) {
        return;
      }
      try {
        grow(status.detail(0), status.detail(1), status.detail(2));
      } catch (RuntimeException | Error e) {
        Closer closer = new Closer();
        closer.close(this::restoreSlots);
        closer.suppressIn(e);
        throw e;
      }
    }
  }

  /** Restores the slots of the groups: on a GPU, rows also take slots until they have a group. */
  private void restoreSlots() {
    if (backend.isBlockParallel() && !isAppending) {
      backend.clear(slots, 0, slots.capacityInBytes());
      fillTable();
      rehash();
    }
  }

  private void rehash() {
    launch(GroupPhase.GROUP_REHASH, groupCount);
  }

  private void launch(int phase, int rowCount) {
    arguments.putInt(GroupAssignArgsLayout.PHASE_OFFSET, phase);
    backend.launch(kernel, LaunchShape.ofRows(rowCount), arguments);
  }

  /** Waits for the launches, and reads how many groups there are. */
  private void awaitState() {
    try (ArgumentBlock host = new ArgumentBlock(GroupStateLayout.SIZE_IN_BYTES)) {
      status.await(state, host);
      if (status.errorWord() != 0) {
        throw new EngineException(ErrorCode.INTERNAL, "kernel " + KERNEL_NAME + " failed");
      }
      groupCount = host.getInt(GroupStateLayout.GROUP_COUNT_OFFSET);
      keyHeapUsed = host.getLong(GroupStateLayout.KEY_HEAP_USED_OFFSET);
    }
  }

  private void grow(long wantedSlots, long newCapacity, long leastHeapBytes) {
    long newSlotCount = wantedSlots;
    while (newSlotCount != slotCount && newSlotCount < 2L * groupCount) {
      newSlotCount *= 2; // appended groups have no slots yet
    }
    if (newSlotCount > MAX_SLOTS) {
      throw new EngineException(
          ErrorCode.OUT_OF_MEMORY, "a table of " + groupCount + " groups cannot grow further");
    }
    if (newCapacity > groupCapacity) {
      groupKeys = enlarged(groupKeys, newCapacity * keyWords * Long.BYTES);
      groupCapacity = Math.toIntExact(newCapacity);
    }
    if (leastHeapBytes > keyHeap.capacityInBytes()) {
      long more = Math.min(leastHeapBytes, DOUBLED_HEAP_BYTES);
      keyHeap =
          enlarged(keyHeap, leastHeapBytes + Math.max(more, leastHeapBytes / LARGE_HEAP_SHARE));
    }
    boolean areSlotsKept = newSlotCount == slotCount && (isAppending || !backend.isBlockParallel());
    if (areSlotsKept) {
      fillTable();
      return;
    }
    MemoryBuffer newSlots = cleared(newSlotCount * Long.BYTES);
    slots.close();
    slots = newSlots;
    slotCount = Math.toIntExact(newSlotCount);
    fillTable();
    rehash();
  }

  private MemoryBuffer enlarged(MemoryBuffer old, long lengthInBytes) {
    MemoryBuffer larger = allocator.allocate(lengthInBytes);
    try {
      backend.copy(old, larger, Math.min(old.capacityInBytes(), larger.capacityInBytes()));
    } catch (RuntimeException | Error e) {
      larger.close();
      throw e;
    }
    old.close();
    return larger;
  }

  private MemoryBuffer cleared(long lengthInBytes) {
    MemoryBuffer buffer = allocator.allocate(lengthInBytes);
    try {
      backend.clear(buffer, 0, buffer.capacityInBytes());
    } catch (RuntimeException | Error e) {
      buffer.close();
      throw e;
    }
    return buffer;
  }

  private void fillArguments(int rowCount, MemoryBuffer groupIds, MemoryBuffer newGroups) {
    arguments.putLong(GroupAssignArgsLayout.STATUS_OFFSET, status.address());
    arguments.putLong(GroupAssignArgsLayout.STATE_OFFSET, state.address());
    arguments.putLong(GroupAssignArgsLayout.GROUP_IDS_OFFSET, groupIds.address());
    arguments.putLong(GroupAssignArgsLayout.NEW_GROUP_ROWS_OFFSET, newGroups.address());
    arguments.putInt(GroupAssignArgsLayout.ROWS_OFFSET, rowCount);
    fillTable();
  }

  private void fillTable() {
    fillTable(arguments);
  }

  /** Writes the addresses of the table into the arguments of a kernel. */
  void fillTable(ArgumentBlock arguments) {
    arguments.putLong(GroupAssignArgsLayout.SLOTS_OFFSET, slots.address());
    arguments.putLong(GroupAssignArgsLayout.GROUP_KEYS_OFFSET, groupKeys.address());
    arguments.putLong(GroupAssignArgsLayout.KEY_HEAP_OFFSET, keyHeap.address());
    arguments.putLong(GroupAssignArgsLayout.KEY_HEAP_BYTES_OFFSET, keyHeap.capacityInBytes());
    arguments.putInt(GroupAssignArgsLayout.SLOT_COUNT_OFFSET, slotCount);
    arguments.putInt(GroupAssignArgsLayout.GROUP_CAPACITY_OFFSET, groupCapacity);
    arguments.putInt(GroupAssignArgsLayout.KEY_COUNT_OFFSET, keyKinds.size());
    arguments.putInt(GroupAssignArgsLayout.KEY_WORDS_OFFSET, keyWords);
  }

  /** Writes the addresses of the table into a record of {@code group_part}. */
  void fillPart(ArgumentBlock directory, int offset, int firstGroup) {
    directory.putLong(offset + GroupPartLayout.SLOTS_OFFSET, slots.address());
    directory.putLong(offset + GroupPartLayout.GROUP_KEYS_OFFSET, groupKeys.address());
    directory.putLong(offset + GroupPartLayout.KEY_HEAP_OFFSET, keyHeap.address());
    directory.putInt(offset + GroupPartLayout.SLOT_COUNT_OFFSET, slotCount);
    directory.putInt(offset + GroupPartLayout.FIRST_GROUP_OFFSET, firstGroup);
  }

  /** Adds the workspace of the GPU's kernel; the counters are the last but one. */
  private void addWorkspace(int rowCount, List<MemoryBuffer> scratch) {
    long counters = FIXED_COUNTERS + (rowCount + COUNTER_ROWS - 1L) / COUNTER_ROWS;
    MemoryBuffer workspace = allocator.allocate(counters * Long.BYTES);
    scratch.add(workspace);
    MemoryBuffer rowKeys = allocator.allocate((long) rowCount * keyWords * Long.BYTES);
    scratch.add(rowKeys);
    arguments.putLong(GroupAssignArgsLayout.WORKSPACE_OFFSET, workspace.address());
    arguments.putLong(GroupAssignArgsLayout.ROW_KEYS_OFFSET, rowKeys.address());
  }

  private void fillSource(long keys, long heap) {
    arguments.putLong(GroupAssignArgsLayout.SOURCE_KEYS_OFFSET, keys);
    arguments.putLong(GroupAssignArgsLayout.SOURCE_HEAP_OFFSET, heap);
  }

  private void fillKeys(List<ColumnVector> keys) {
    fillKeys(arguments, heaps, keys);
  }

  /** Writes the columns as {@link #fillKeys(ArgumentBlock, List, HeapTables, List)} does. */
  void fillKeys(ArgumentBlock arguments, HeapTables heaps, List<ColumnVector> keys) {
    fillKeys(arguments, keyKinds, heaps, keys);
  }

  /**
   * Writes the columns into the arguments of a kernel, or only their layouts when the rows are
   * groups of another table.
   *
   * @param arguments the arguments
   * @param keyKinds layouts
   * @param heaps gives the addresses of their heaps
   * @param keys the columns, or null
   */
  static void fillKeys(
      ArgumentBlock arguments,
      List<PhysicalType> keyKinds,
      HeapTables heaps,
      List<ColumnVector> keys) {
    for (int i = 0; i < keyKinds.size(); i++) {
      int view = GroupAssignArgsLayout.KEYS_OFFSET + i * GroupAssignArgsLayout.KEYS_STRIDE;
      arguments.putInt(view + ColumnViewLayout.KIND_OFFSET, keyKinds.get(i).code());
    }
    for (int i = 0; i < keys.size(); i++) {
      ColumnVector key = keys.get(i);
      if (key.physicalType() != keyKinds.get(i)) {
        throw new IllegalArgumentException(
            "key " + i + " is " + key.physicalType() + ", the table's " + keyKinds.get(i));
      }
      int offset = GroupAssignArgsLayout.KEYS_OFFSET + i * GroupAssignArgsLayout.KEYS_STRIDE;
      long validity = key.validity() == null ? 0 : key.validity().address();
      arguments.putLong(offset + ColumnViewLayout.DATA_OFFSET, key.data().address());
      arguments.putLong(offset + ColumnViewLayout.VALIDITY_OFFSET, validity);
      arguments.putLong(offset + ColumnViewLayout.HEAPS_OFFSET, heaps.addressOf(key));
      arguments.putInt(offset + ColumnViewLayout.HEAP_COUNT_OFFSET, key.heaps().size());
    }
  }

  @Override
  public void close() {
    for (MemoryBuffer buffer : new MemoryBuffer[] {state, slots, groupKeys, keyHeap, spareHeap}) {
      if (buffer != null) {
        buffer.close();
      }
    }
    heaps.close();
    status.close();
    arguments.close();
  }
}
