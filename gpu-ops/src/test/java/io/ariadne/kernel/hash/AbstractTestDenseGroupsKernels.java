package io.ariadne.kernel.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.abi.GroupMissing;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Groups of integers that lie close together, against a map in plain Java. */
abstract class AbstractTestDenseGroupsKernels extends AbstractTestKernels {
  private static final int[] SIZES = {1, 31, 32, 33, 1023, 1025, 5000};

  AbstractTestDenseGroupsKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void numbersKeysOfEveryType() {
    for (int rows : SIZES) {
      check(PrimitiveType.INT8, rows, random.nextInt(100) - 128, 100);
      check(PrimitiveType.INT16, rows, Short.MIN_VALUE, 1 + random.nextInt(3 * rows));
      check(PrimitiveType.INT32, rows, Integer.MAX_VALUE - 3 * rows, 1 + random.nextInt(3 * rows));
      check(PrimitiveType.INT64, rows, random.nextLong() / 2, 1 + random.nextInt(4 * rows));
      check(PrimitiveType.INT64, rows, Long.MIN_VALUE, 1 + random.nextInt(4 * rows));
      check(PrimitiveType.INT64, rows, Long.MAX_VALUE - 4L * rows, 4 * rows);
    }
  }

  @Test
  void numbersKeysOfManyRows() {
    check(PrimitiveType.INT64, MANY, -5, 2 * MANY);
  }

  @Test
  void refusesValuesFarFromEachOther() {
    for (long distance : new long[] {40, 1L << 40, Long.MAX_VALUE, -40}) {
      try (ColumnVector key = column(PrimitiveType.INT64, new Long[] {3L, null, 3 + distance})) {
        assertNull(groupsOf(key));
      }
    }
    try (ColumnVector key = column(PrimitiveType.INT64, new Long[] {Long.MIN_VALUE, -1L >>> 1})) {
      assertNull(groupsOf(key));
    }
  }

  @Test
  void refusesKeysWithoutValues() {
    try (ColumnVector key = column(PrimitiveType.INT32, new Long[] {null, null})) {
      assertNull(groupsOf(key));
    }
  }

  /** Returns whether there are groups. */
  private DenseGroups groupsOf(ColumnVector key) {
    try (MemoryBuffer groupIds = allocator().allocate(4L * key.rowCount())) {
      return DenseGroups.of(backend(), allocator(), key, groupIds);
    }
  }

  private void check(DataType type, int rows, long least, int range) {
    Long[] values = values(rows, least, range);
    try (ColumnVector key = column(type, values);
        MemoryBuffer groupIds = allocator().allocate(4L * rows)) {
      DenseGroups groups = DenseGroups.of(backend(), allocator(), key, groupIds);
      if (groups == null) { // few values of a small range, or none
        return;
      }
      try (groups) {
        Map<Long, Integer> first = new HashMap<>();
        int expected = 0;
        for (int row = 0; row < rows; row++) {
          Integer before = values[row] == null ? null : first.putIfAbsent(values[row], row);
          expected += before == null ? 1 : 0;
          assertEquals(before == null ? row : before, groupIds.getInt(4L * row));
        }
        assertEquals(expected, groups.groupCount());
        checkLookup(groups, type, first, values(rows, least, range));
      }
    }
  }

  private void checkLookup(
      DenseGroups groups, DataType type, Map<Long, Integer> first, Long[] values) {
    try (KeyLookup lookup = groups.newLookup(backend());
        ColumnVector key = column(type, values);
        MemoryBuffer found = allocator().allocate(4L * values.length)) {
      lookup.find(List.of(key), values.length, found);
      awaitLaunches();
      for (int row = 0; row < values.length; row++) {
        int expected =
            values[row] == null
                ? GroupMissing.GROUP_NULL_KEY
                : first.getOrDefault(values[row], GroupMissing.GROUP_NONE);
        assertEquals(expected, found.getInt(4L * row), "of " + values[row]);
      }
    }
  }

  @Test
  void findsNoGroupOfValuesOutsideTheRange() {
    Long[] values = {10L, 12L, 11L, 13L};
    try (ColumnVector key = column(PrimitiveType.INT64, values);
        MemoryBuffer groupIds = allocator().allocate(16);
        DenseGroups groups = DenseGroups.of(backend(), allocator(), key, groupIds)) {
      assertNotNull(groups);
      Map<Long, Integer> first = Map.of(10L, 0, 12L, 1, 11L, 2, 13L, 3);
      Long[] others = {9L, 14L, 10L, null, Long.MIN_VALUE, Long.MAX_VALUE, -1L, 0L, 13L};
      checkLookup(groups, PrimitiveType.INT64, first, others);
    }
  }

  private Long[] values(int rows, long least, int range) {
    boolean hasNulls = random.nextBoolean();
    Long[] values = new Long[rows];
    for (int row = 0; row < rows; row++) {
      boolean isNull = hasNulls && random.nextInt(5) == 0;
      values[row] = isNull ? null : Long.valueOf(least + random.nextInt(range));
    }
    return values;
  }

  private ColumnVector column(DataType type, Long[] values) {
    try (ColumnBuilder builder = ColumnBuilder.create(type, allocator())) {
      for (Long value : values) {
        if (value == null) {
          builder.appendNull();
        } else {
          builder.appendValue(ofType(type, value));
        }
      }
      return builder.build();
    }
  }

  private static Object ofType(DataType type, long value) {
    if (type == PrimitiveType.INT8) {
      return (byte) value;
    }
    if (type == PrimitiveType.INT16) {
      return (short) value;
    }
    return type == PrimitiveType.INT32 ? (Object) (int) value : (Object) value;
  }
}
