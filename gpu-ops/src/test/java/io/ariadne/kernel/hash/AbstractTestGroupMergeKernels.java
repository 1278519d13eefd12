package io.ariadne.kernel.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.ColumnBuilder;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.kernel.abi.GroupCombineArgsLayout;
import io.ariadne.kernel.abi.GroupPartitionArgsLayout;
import io.ariadne.kernel.abi.PartitionPhase;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import io.ariadne.kernel.tile.AccumulatorKind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Moves tables to runs and merges these: appends groups without lookups, sorts them by partition,
 * finds them in another table and combines their records.
 */
abstract class AbstractTestGroupMergeKernels extends AbstractTestKernels {
  private static final int[] SIZES = {1, 31, 33, 1023, 1025, 5000};
  private static final int RECORD_ALIGNMENT = 16;

  private static final List<PhysicalType> KINDS =
      List.of(
          PrimitiveType.INT64.defaultPhysicalType(), PrimitiveType.STRING.defaultPhysicalType());

  AbstractTestGroupMergeKernels(KernelTestTarget target) {
    super(target);
  }

  @Test
  void findsAppendedGroupsAgain() {
    for (int rows : SIZES) {
      try (GroupTable appended = new GroupTable(backend(), allocator(), KINDS);
          GroupTable merged = new GroupTable(backend(), allocator(), KINDS, rows)) {
        Set<List<Object>> keys = new HashSet<>();
        append(appended, rows, 1 + random.nextInt(rows), keys);
        append(appended, rows, 1 + random.nextInt(rows), keys);
        assertEquals(2 * rows, appended.groupCount());
        checkMerge(appended, merged, keys.size());
        appended.reset();
        append(appended, rows, 1, keys);
        checkMerge(appended, merged, keys.size());
      }
    }
  }

  /** Merges a table in two parts; rows of equal keys get equal groups. */
  private void checkMerge(GroupTable source, GroupTable target, int distinct) {
    int half = random.nextInt(source.groupCount());
    assign(source, target, 0, half);
    assign(source, target, half, source.groupCount() - half);
    assertEquals(distinct, target.groupCount());
    try (MemoryBuffer ids = allocator().allocate(Integer.BYTES)) {
      target.assignGroups(new GroupSlice(source.groupKeys(), source.keyHeap(), half, 1), ids);
      long hash = source.groupKeys().getLong((long) half * source.keyWords() * Long.BYTES);
      long place = (long) ids.getInt(0) * target.keyWords() * Long.BYTES;
      assertEquals(hash, target.groupKeys().getLong(place));
    }
    assertEquals(distinct, target.groupCount());
  }

  private void assign(GroupTable source, GroupTable target, int first, int count) {
    if (count > 0) {
      try (MemoryBuffer ids = allocator().allocate((long) count * Integer.BYTES)) {
        target.assignGroups(
            new GroupSlice(source.groupKeys(), source.keyHeap(), first, count), ids);
        for (int i = 0; i < count; i++) {
          assertTrue(ids.getInt((long) i * Integer.BYTES) < target.groupCount());
        }
      }
    }
  }

  private void append(GroupTable table, int rows, int distinct, Set<List<Object>> keys) {
    try (ColumnBuilder numbers = ColumnBuilder.create(PrimitiveType.INT64, allocator());
        ColumnBuilder texts = ColumnBuilder.create(PrimitiveType.STRING, allocator());
        MemoryBuffer ids = allocator().allocate((long) rows * Integer.BYTES)) {
      int before = table.groupCount();
      for (int row = 0; row < rows; row++) {
        long number = random.nextInt(distinct);
        String text = number % 3 == 0 ? "short" : "longer than a view holds " + number % 7;
        keys.add(List.of(number, text));
        numbers.appendValue(number);
        texts.appendValue(text.getBytes(StandardCharsets.UTF_8));
      }
      List<ColumnVector> columns = List.of(numbers.build(), texts.build());
      table.append(columns, rows, ids);
      columns.forEach(ColumnVector::close);
      for (int row = 0; row < rows; row++) {
        assertEquals(before + row, ids.getInt((long) row * Integer.BYTES));
      }
    }
  }

  @Test
  void partitionsHaveTheGroupsOfTheirHashes() {
    for (int groups : SIZES) {
      checkPartitions(groups, 3 + random.nextInt(5), 2 * (1 + random.nextInt(4)));
    }
  }

  @Test
  void partitionsManyGroups() {
    checkEachLaunch(
        arguments ->
            switch (arguments.getInt(GroupPartitionArgsLayout.PHASE_OFFSET)) {
              case PartitionPhase.PARTITION_RANK -> "group_partition rank";
              case PartitionPhase.PARTITION_COPY -> "group_partition copy";
              default -> null;
            });
    checkPartitions(MANY, 4, 4);
  }

  private void checkPartitions(int groups, int keyWords, int recordWords) {
    long keyBytes = (long) groups * keyWords * Long.BYTES;
    long recordBytes = (long) groups * recordWords * Long.BYTES;
    try (MemoryBuffer keys = randomBytes(keyBytes);
        MemoryBuffer records = randomBytes(recordBytes);
        MemoryBuffer sortedKeys = allocator().allocate(keyBytes);
        MemoryBuffer sortedRecords = allocator().allocate(recordBytes);
        GroupPartitionKernel kernel = new GroupPartitionKernel(backend(), allocator())) {
      int level = random.nextInt(GroupPartitionKernel.LAST_LEVEL + 1);
      int[] places = random.nextBoolean() ? new int[groups] : null;
      int[] first =
          kernel.sort(
              new GroupPartitionKernel.Groups(
                  keys, keyWords, records, recordWords, 0, groups, sortedKeys, sortedRecords),
              level,
              places);
      for (int group = 0; places != null && group < groups; group++) {
        assertEquals(
            keys.getLong((long) group * keyWords * Long.BYTES),
            sortedKeys.getLong((long) places[group] * keyWords * Long.BYTES));
      }
      assertEquals(0, first[0]);
      assertEquals(groups, first[GroupPartitionKernel.PARTITIONS]);
      for (int p = 0; p < GroupPartitionKernel.PARTITIONS; p++) {
        for (int group = first[p]; group < first[p + 1]; group++) {
          long hash = sortedKeys.getLong((long) group * keyWords * Long.BYTES);
          int skipped = level * GroupPartitionKernel.BITS;
          assertEquals(p, (int) (hash << skipped >>> (Long.SIZE - GroupPartitionKernel.BITS)));
        }
      }
      assertEquals(
          rows(groups, keys, keyWords, records, recordWords),
          rows(groups, sortedKeys, keyWords, sortedRecords, recordWords));
    }
  }

  private static Set<List<Long>> rows(
      int groups, MemoryBuffer keys, int keyWords, MemoryBuffer records, int recordWords) {
    Set<List<Long>> rows = new HashSet<>();
    for (int group = 0; group < groups; group++) {
      List<Long> row = new ArrayList<>();
      for (int word = 0; word < keyWords; word++) {
        row.add(keys.getLong(((long) group * keyWords + word) * Long.BYTES));
      }
      for (int word = 0; word < recordWords; word++) {
        row.add(records.getLong(((long) group * recordWords + word) * Long.BYTES));
      }
      rows.add(row);
    }
    return rows;
  }

  @Test
  void combinesRecordsOfEveryKind() {
    for (int rows : SIZES) {
      checkCombination(Arrays.asList(AccumulatorKind.values()), rows, 1 + random.nextInt(rows));
    }
  }

  @Test
  void combinesMoreAccumulatorsThanALaunchTakes() {
    List<AccumulatorKind> kinds = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      kinds.add(AccumulatorKind.values()[i % AccumulatorKind.values().length]);
    }
    checkCombination(kinds, 100, 20);
  }

  @Test
  void combinesManyRecords() {
    checkEachLaunch(
        arguments ->
            arguments.getInt(GroupCombineArgsLayout.ROWS_OFFSET) == MANY ? "group_combine" : null);
    checkCombination(List.of(AccumulatorKind.SUM_I64, AccumulatorKind.COUNT), MANY, MANY);
  }

  private void checkCombination(List<AccumulatorKind> kinds, int rows, int groups) {
    List<Integer> offsets = new ArrayList<>();
    int end = 0;
    for (AccumulatorKind kind : kinds) {
      int alignment = kind.alignmentInBytes();
      end = (end + alignment - 1) / alignment * alignment;
      offsets.add(end);
      end += kind.sizeInBytes();
    }
    int stride = (end + RECORD_ALIGNMENT - 1) / RECORD_ALIGNMENT * RECORD_ALIGNMENT;
    try (MemoryBuffer source = records(kinds, offsets, stride, rows);
        MemoryBuffer target = records(kinds, offsets, stride, groups);
        MemoryBuffer expected = allocator().allocate((long) groups * stride);
        MemoryBuffer ids = allocator().allocate((long) rows * Integer.BYTES);
        GroupCombineKernel kernel = new GroupCombineKernel(backend(), kinds, offsets, stride)) {
      Memory.copy(target.address(), expected.address(), (long) groups * stride);
      for (int row = 0; row < rows; row++) {
        int group = random.nextInt(groups);
        ids.putInt((long) row * Integer.BYTES, group);
        for (int i = 0; i < kinds.size(); i++) {
          long to = expected.address() + (long) group * stride + offsets.get(i);
          long from = source.address() + (long) row * stride + offsets.get(i);
          kinds.get(i).combine(to, from);
        }
      }
      kernel.combine(ids, source, 0, rows, target);
      check(kinds, offsets, stride, groups, expected, target);
    }
  }

  private void check(
      List<AccumulatorKind> kinds,
      List<Integer> offsets,
      int stride,
      int groups,
      MemoryBuffer expected,
      MemoryBuffer actual) {
    for (int group = 0; group < groups; group++) {
      for (int i = 0; i < kinds.size(); i++) {
        long at = (long) group * stride + offsets.get(i);
        for (int byteIndex = 0; byteIndex < kinds.get(i).sizeInBytes(); byteIndex += Long.BYTES) {
          assertEquals(
              expected.getLong(at + byteIndex),
              actual.getLong(at + byteIndex),
              kinds.get(i) + " of group " + group + ", seed " + seed());
        }
      }
    }
  }

  /** Returns records that values were added to: neither padding nor locks are set. */
  private MemoryBuffer records(
      List<AccumulatorKind> kinds, List<Integer> offsets, int stride, int count) {
    MemoryBuffer records = allocator().allocate((long) count * stride);
    for (int record = 0; record < count; record++) {
      for (int i = 0; i < kinds.size(); i++) {
        long address = records.address() + (long) record * stride + offsets.get(i);
        kinds.get(i).initialize(address);
        if (random.nextInt(4) != 0) {
          fill(kinds.get(i), address);
        }
      }
    }
    return records;
  }

  private void fill(AccumulatorKind kind, long address) {
    long low = random.nextLong();
    long high = random.nextInt(3) - 1L;
    switch (kind) {
      case COUNT, MIN_I64, MAX_I64, AND_I64, OR_I64, XOR_I64 -> Memory.putLong(address, low);
      case SUM_I64, MIN_I128, MAX_I128 -> {
        Memory.putLong(address, low);
        Memory.putLong(address + Long.BYTES, high);
      }
      case SUM_I128 -> {
        Memory.putLong(address, low);
        Memory.putLong(address + Long.BYTES, random.nextLong());
        Memory.putLong(address + 2L * Long.BYTES, high);
      }
      case SUM_F64 -> {
        for (int bin = 0; bin < 4; bin++) {
          Memory.putLong(address + (long) bin * Long.BYTES, random.nextInt());
        }
        Memory.putInt(address + 4L * Long.BYTES, random.nextInt(6)); // the lowest bin's number
        Memory.putInt(address + 4L * Long.BYTES + Integer.BYTES, random.nextInt(8));
      }
      default -> throw new IllegalArgumentException("no values for " + kind);
    }
  }
}
