package io.ariadne.replay;

import io.ariadne.kernel.abi.ColumnKind;
import io.ariadne.kernel.abi.ColumnViewLayout;
import io.ariadne.kernel.abi.GroupAssignArgsLayout;
import io.ariadne.kernel.abi.GroupPhase;
import io.ariadne.kernel.abi.GroupStateLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Group numbers of integer keys with nulls, and of strings short and long. */
final class GroupCases {

  private static final int ROWS = 1 << 17;
  private static final String KERNEL = "group_assign";
  private static final int ITEMS = 4;
  private static final int CAPACITY = 1 << 12;
  private static final int SLOTS = 1 << 14;
  private static final int HEAP_BYTES = 1 << 20;
  private static final int VIEW_BYTES = 16;
  private static final int INLINE_BYTES = 12;
  private static final int[] PHASES = {
    GroupPhase.GROUP_NORMALIZE,
    GroupPhase.GROUP_INSERT,
    GroupPhase.GROUP_NUMBER,
    GroupPhase.GROUP_RESOLVE
  };

  private GroupCases() {}

  static List<ReplayCase> all(Random random) {
    return List.of(integers(random), strings(random));
  }

  private static ReplayCase integers(Random random) {
    ReplayCase group = new ReplayCase("group numbers, integers, " + ROWS + " rows", KERNEL);
    byte[] keys = ColumnBytes.longs(ROWS, i -> random.nextInt(3000) * 1_000_003L);
    int data = group.add("keys", keys);
    int validity = group.add("validity", ColumnBytes.validity(ROWS, random));
    group.buffer(data).scaling();
    group.buffer(validity).scaling();
    int keyWords = 3;
    Table table = new Table(group, keyWords);
    for (int phase : PHASES) {
      int view = GroupAssignArgsLayout.KEYS_OFFSET;
      table
          .launch(phase)
          .putInt(view + ColumnViewLayout.KIND_OFFSET, ColumnKind.I64)
          .pointer(view + ColumnViewLayout.DATA_OFFSET, data)
          .pointer(view + ColumnViewLayout.VALIDITY_OFFSET, validity);
    }
    return group
        .onlyOnce()
        .measured(
            ROWS, keys.length + (long) ROWS * Integer.BYTES, GroupAssignArgsLayout.ROWS_OFFSET);
  }

  private static ReplayCase strings(Random random) {
    ReplayCase group = new ReplayCase("group numbers, strings, " + ROWS + " rows", KERNEL);
    byte[] viewBytes = ColumnBytes.zeroed((long) ROWS * VIEW_BYTES);
    ByteBuffer views = ByteBuffer.wrap(viewBytes).order(ByteOrder.LITTLE_ENDIAN);
    byte[] heap = ColumnBytes.zeroed(1 << 20);
    for (int i = 0; i < ROWS; i++) {
      int value = random.nextInt(1000);
      String text = value % 2 == 0 ? "key" + value : "a key longer than the view " + value;
      putView(views, i * VIEW_BYTES, heap, value, text.getBytes(StandardCharsets.US_ASCII));
    }
    int data = group.add("views", viewBytes);
    int characters = group.add("characters", heap);
    int heaps = group.add("heaps", new byte[Long.BYTES]);
    group.buffer(data).scaling();
    group.buffer(heaps).pointer(0, characters, 0);
    int keyWords = 4;
    Table table = new Table(group, keyWords);
    for (int phase : PHASES) {
      int view = GroupAssignArgsLayout.KEYS_OFFSET;
      table
          .launch(phase)
          .putInt(view + ColumnViewLayout.KIND_OFFSET, ColumnKind.VIEW16)
          .putInt(view + ColumnViewLayout.HEAP_COUNT_OFFSET, 1)
          .pointer(view + ColumnViewLayout.DATA_OFFSET, data)
          .pointer(view + ColumnViewLayout.HEAPS_OFFSET, heaps);
    }
    return group
        .onlyOnce()
        .measured(
            ROWS, (long) ROWS * (VIEW_BYTES + Integer.BYTES), GroupAssignArgsLayout.ROWS_OFFSET);
  }

  /** Writes Arrow's view of a text; long texts have a place in the heap by their value. */
  private static void putView(ByteBuffer views, int at, byte[] heap, int value, byte[] text) {
    views.putInt(at, text.length);
    if (text.length <= INLINE_BYTES) {
      for (int i = 0; i < text.length; i++) {
        views.put(at + Integer.BYTES + i, text[i]);
      }
      return;
    }
    int place = value * 64;
    for (int i = 0; i < text.length; i++) {
      heap[place + i] = text[i];
      if (i < Integer.BYTES) {
        views.put(at + Integer.BYTES + i, text[i]);
      }
    }
    views.putInt(at + VIEW_BYTES - Integer.BYTES, place);
  }

  /** The memory of one table and its launches. */
  private static final class Table {

    private final ReplayCase group;
    private final int keyWords;
    private final int state;
    private final int slots;
    private final int groupKeys;
    private final int keyHeap;
    private final int groupIds;
    private final int newGroupRows;
    private final int workspace;
    private final int rowKeys;

    Table(ReplayCase group, int keyWords) {
      this.group = group;
      this.keyWords = keyWords;
      state = group.zeroed("state", GroupStateLayout.SIZE_IN_BYTES);
      slots = group.zeroed("slots", SLOTS * Long.BYTES);
      groupKeys = group.zeroed("group keys", CAPACITY * keyWords * Long.BYTES);
      keyHeap = group.zeroed("key heap", HEAP_BYTES);
      groupIds = group.zeroed("group ids", ROWS * Integer.BYTES);
      newGroupRows = group.zeroed("new group rows", ROWS * Integer.BYTES);
      workspace = group.zeroed("workspace", 64 + 8 * (4 + ROWS / 1024));
      rowKeys = group.zeroed("row keys", ROWS * keyWords * Long.BYTES);
      group.buffer(state).expectBytes(GroupStateLayout.GROUP_COUNT_OFFSET, Integer.BYTES);
      group.buffer(groupIds).scaling().expectBytes(0, ROWS * Integer.BYTES);
      group.buffer(newGroupRows).scaling().expectBytes(0, 256 * Integer.BYTES);
      group.buffer(workspace).scaling();
      group.buffer(rowKeys).scaling();
    }

    ReplayLaunch launch(int phase) {
      int block = ReplayCase.blockSize(KERNEL);
      return group
          .launch(ROWS / (block * ITEMS), block, 0, GroupAssignArgsLayout.SIZE_IN_BYTES)
          .pointer(GroupAssignArgsLayout.STATE_OFFSET, state)
          .pointer(GroupAssignArgsLayout.SLOTS_OFFSET, slots)
          .pointer(GroupAssignArgsLayout.GROUP_KEYS_OFFSET, groupKeys)
          .pointer(GroupAssignArgsLayout.KEY_HEAP_OFFSET, keyHeap)
          .pointer(GroupAssignArgsLayout.GROUP_IDS_OFFSET, groupIds)
          .pointer(GroupAssignArgsLayout.NEW_GROUP_ROWS_OFFSET, newGroupRows)
          .pointer(GroupAssignArgsLayout.WORKSPACE_OFFSET, workspace)
          .pointer(GroupAssignArgsLayout.ROW_KEYS_OFFSET, rowKeys)
          .putLong(GroupAssignArgsLayout.KEY_HEAP_BYTES_OFFSET, HEAP_BYTES)
          .putInt(GroupAssignArgsLayout.PHASE_OFFSET, phase)
          .putInt(GroupAssignArgsLayout.ROWS_OFFSET, ROWS)
          .putInt(GroupAssignArgsLayout.SLOT_COUNT_OFFSET, SLOTS)
          .putInt(GroupAssignArgsLayout.GROUP_CAPACITY_OFFSET, CAPACITY)
          .putInt(GroupAssignArgsLayout.KEY_COUNT_OFFSET, 1)
          .putInt(GroupAssignArgsLayout.KEY_WORDS_OFFSET, keyWords);
    }
  }
}
