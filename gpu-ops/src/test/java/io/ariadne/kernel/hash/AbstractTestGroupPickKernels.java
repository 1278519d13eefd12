package io.ariadne.kernel.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.abi.GroupPickArgsLayout;
import io.ariadne.kernel.abi.PickPhase;
import io.ariadne.kernel.abi.PickState;
import io.ariadne.kernel.abi.PickedValueLayout;
import io.ariadne.kernel.hash.GroupPickKernel.Place;
import io.ariadne.kernel.hash.GroupPickKernel.Records;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is picked of batches and of other records, settled between and moved to other heaps. */
abstract class AbstractTestGroupPickKernels extends AbstractTestKernels {
  private static final int[] SIZES = {1, 31, 33, 1023, 1025, 5000};
  private static final int STRIDE = 2 * GroupPickKernel.SIZE_IN_BYTES;
  private static final int OFFSET = 16;
  private static final String NULL = "null";

  AbstractTestGroupPickKernels(KernelTestTarget target) {
    super(target);
  }

  /** A batch: values, which rows count, and the groups of the rows. */
  private record Rows(ColumnVector values, ColumnVector kept, MemoryBuffer ids, String[] texts)
      implements AutoCloseable {
    @Override
    public void close() {
      values.close();
      if (kept != null) {
        kept.close();
      }
      ids.close();
    }
  }

  /** Records of groups, their heap, and what they should hold: null before there is a row. */
  private final class Table implements AutoCloseable {
    private final Place place;
    private final int groups;
    private final MemoryBuffer records;
    private final String[] expected;
    private MemoryBuffer heap;
    private long used;
    private long nextOrder = 1;

    Table(PickRule rule, boolean skipsNulls, int groups) {
      this.place = new Place(rule, PhysicalType.VIEW16, skipsNulls, OFFSET);
      this.groups = groups;
      this.records = allocator().allocate((long) groups * STRIDE);
      for (int group = 0; group < groups; group++) {
        GroupPickKernel.initialize(rule, records.address() + (long) group * STRIDE + OFFSET);
      }
      this.expected = new String[groups];
      this.heap = allocator().allocate(8);
    }

    Records all() {
      return new Records(records, 0, STRIDE, heap);
    }

    void update(GroupPickKernel kernel, Rows rows) {
      int count = rows.values().rowCount();
      if (kernel.update(place, all(), rows.values(), rows.kept(), rows.ids(), nextOrder)) {
        settle(kernel, random.nextBoolean());
      }
      kernel.release();
      nextOrder += count;
      for (int row = 0; row < count; row++) {
        if (rows.kept() == null || bit(rows.kept().data(), row)) {
          offer(rows.ids().getInt((long) row * Integer.BYTES), rows.texts()[row]);
        }
      }
    }

    private void offer(int group, String text) {
      if (text.equals(NULL) && place.skipsNulls()) {
        return;
      }
      String best = expected[group];
      boolean isBetter =
          switch (place.rule()) {
            case LEAST -> best == null || compare(text, best) < 0;
            case GREATEST -> best == null || compare(text, best) > 0;
            case FIRST -> best == null;
            case LAST -> true;
          };
      expected[group] = isBetter ? text : best;
    }

    void settle(GroupPickKernel kernel, boolean moves) {
      GroupPickKernel.Sizes sizes = kernel.sizes(List.of(place), all(), groups);
      long needed = used + sizes.foreign();
      if (!moves && needed <= heap.capacityInBytes()) {
        used = kernel.settle(List.of(place), all(), groups, heap, used);
        assertEquals(needed, used);
        return;
      }
      MemoryBuffer larger = allocator().allocate(sizes.foreign() + sizes.settled() + 100);
      used = kernel.settle(List.of(place), all(), groups, larger, 0);
      assertEquals(sizes.foreign() + sizes.settled(), used);
      heap.close();
      heap = larger;
    }

    void combine(GroupPickKernel kernel, Table source, MemoryBuffer ids) {
      if (kernel.combine(place, all(), source.all(), ids, source.groups)) {
        settle(kernel, random.nextBoolean());
      }
      for (int group = 0; group < source.groups; group++) {
        if (source.expected[group] != null) {
          offer(ids.getInt((long) group * Integer.BYTES), source.expected[group]);
        }
      }
    }

    void check() {
      for (int group = 0; group < groups; group++) {
        assertEquals(expected[group], actual(group), () -> place + ", seed " + seed());
      }
    }

    private String actual(int group) {
      long at = (long) group * STRIDE + OFFSET;
      int state = records.getInt(at + PickedValueLayout.STATE_OFFSET);
      if (state != PickState.PICK_VALUE) {
        return state == PickState.PICK_NOTHING ? null : NULL;
      }
      byte[] bytes = new byte[records.getInt(at)];
      if (bytes.length <= 12) {
        records.getBytes(at + Integer.BYTES, bytes, 0, bytes.length);
      } else {
        long place = records.getLong(at + PickedValueLayout.HIGH_OFFSET);
        assertTrue(place + bytes.length <= used);
        heap.getBytes(place, bytes, 0, bytes.length);
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      records.close();
      heap.close();
    }
  }

  private static int compare(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  private Rows rows(int count, int groups, boolean hasKept) {
    String[] texts = new String[count];
    MemoryBuffer ids = allocator().allocate((long) count * Integer.BYTES);
    try (ColumnBuilder values = ColumnBuilder.create(PrimitiveType.STRING, allocator());
        ColumnBuilder kept = ColumnBuilder.create(PrimitiveType.BOOLEAN, allocator())) {
      for (int row = 0; row < count; row++) {
        ids.putInt((long) row * Integer.BYTES, random.nextInt(groups));
        texts[row] = text();
        if (texts[row].equals(NULL)) {
          values.appendNull();
        } else {
          values.appendValue(texts[row].getBytes(StandardCharsets.UTF_8));
        }
        kept.appendValue(random.nextInt(4) > 0);
      }
      return new Rows(values.build(), hasKept ? kept.build() : null, ids, texts);
    }
  }

  /** Returns texts that often begin alike, in and beyond what a view holds. */
  private String text() {
    return switch (random.nextInt(6)) {
      case 0 -> NULL;
      case 1 -> "a".repeat(random.nextInt(30));
      case 2 -> "same beginning, " + random.nextInt(1000);
      case 3 -> "é" + random.nextInt(100);
      default -> Integer.toString(random.nextInt(100_000)).repeat(random.nextInt(5));
    };
  }

  @Test
  void picksFromRowsOfBatches() {
    for (int size : SIZES) {
      for (PickRule rule : PickRule.values()) {
        int groups = 1 + random.nextInt(2 * size);
        boolean skipsNulls = !rule.isByOrder() || random.nextBoolean();
        try (GroupPickKernel kernel = new GroupPickKernel(backend(), allocator());
            Table table = new Table(rule, skipsNulls, groups)) {
          for (int batch = 0; batch < 3; batch++) {
            try (Rows rows = rows(size, groups, random.nextBoolean())) {
              table.update(kernel, rows);
            }
          }
          table.check();
        }
      }
    }
  }

  @Test
  void picksFromRecordsOfOtherTables() {
    for (int size : SIZES) {
      for (PickRule rule : PickRule.values()) {
        boolean skipsNulls = !rule.isByOrder();
        int groups = 1 + random.nextInt(size);
        try (GroupPickKernel kernel = new GroupPickKernel(backend(), allocator());
            MemoryBuffer ids = allocator().allocate((long) size * Integer.BYTES);
            Table source = new Table(rule, skipsNulls, size);
            Table target = new Table(rule, skipsNulls, groups)) {
          for (int i = 0; i < size; i++) {
            // by order, only rows of one group are compared: the other rows have unrelated numbers
            ids.putInt((long) i * Integer.BYTES, rule.isByOrder() ? i % groups : i * 7 % groups);
          }
          try (Rows rows = rows(size, size, false)) {
            source.update(kernel, rows);
          }
          if (!rule.isByOrder() || groups == size) {
            target.combine(kernel, source, ids);
            target.check();
          }
        }
      }
    }
  }

  @Test
  void picksFromManyRowsWithinTheWorkBudgets() {
    checkEachLaunch(AbstractTestGroupPickKernels::budget);
    try (GroupPickKernel kernel = new GroupPickKernel(backend(), allocator());
        Table table = new Table(PickRule.GREATEST, true, MANY);
        Rows rows = rows(MANY, MANY, false)) {
      table.update(kernel, rows);
      table.check();
    }
  }

  private static String budget(ArgumentBlock arguments) {
    if (arguments.getInt(GroupPickArgsLayout.ROWS_OFFSET) != MANY) {
      return null;
    }
    return switch (arguments.getInt(GroupPickArgsLayout.PHASE_OFFSET)) {
      case PickPhase.PICK_UPDATE -> "group_pick update";
      case PickPhase.PICK_SIZE -> "group_pick size";
      default -> "group_pick settle";
    };
  }
}
