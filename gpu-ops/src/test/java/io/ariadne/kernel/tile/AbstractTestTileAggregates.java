package io.ariadne.kernel.tile;

import static io.ariadne.kernel.tile.TileCode.code;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.backend.KernelError;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.kernel.abi.TileError;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import io.ariadne.operator.aggregate.ReferenceFloatSum;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Aggregate instructions against plain Java: any number of groups, filters, masks, accumulators
 * that already hold something, either layout of accumulators.
 */
abstract class AbstractTestTileAggregates extends AbstractTestKernels {
  private static final int[] SIZES = {0, 1, 31, 32, 33, 1023, 1025, 5000};
  private static final double[] SELECTIVITIES = {0.0005, 0.02, 0.6, 1};
  private static final int VALUE = 3;
  private static final int WIDE = 5;
  private static final int GROUP = 0;
  private static final TileOpcode[] KINDS = {
    TileOpcode.AGG_COUNT, TileOpcode.AGG_SUM_I64, TileOpcode.AGG_SUM_I128, TileOpcode.AGG_SUM_I192,
    TileOpcode.AGG_MIN_I64, TileOpcode.AGG_MAX_I64, TileOpcode.AGG_MIN_I128,
        TileOpcode.AGG_MAX_I128,
    TileOpcode.AGG_AND_I64, TileOpcode.AGG_OR_I64, TileOpcode.AGG_XOR_I64
  };

  private final TileValues values = new TileValues(random);

  AbstractTestTileAggregates(KernelTestTarget target) {
    super(target);
  }

  /**
   * How a program aggregates.
   *
   * @param groups number of groups; 0 = without a group column
   * @param copies accumulators per block in shared memory
   * @param hasFilter whether a filter drops rows
   * @param isRowMajor whether a group's accumulators lie side by side
   * @param isSmall whether values are small, as decimals of money are, some wide ones aside
   */
  private record Shape(
      int groups, int copies, boolean hasFilter, boolean isRowMajor, boolean isSmall) {}

  @Test
  void aggregatesWithoutGroups() {
    for (int rows : SIZES) {
      check(rows, new Shape(0, 32, false, false, true), KINDS);
      check(rows, new Shape(0, 0, true, true, false), KINDS);
      check(rows, new Shape(0, 1, true, false, false), KINDS);
    }
  }

  @Test
  void aggregatesFewGroups() {
    for (int rows : SIZES) {
      int groups = 1 + random.nextInt(8);
      check(rows, new Shape(groups, 8, random.nextBoolean(), false, true), KINDS);
      check(rows, new Shape(groups, 32, random.nextBoolean(), true, false), someKinds());
    }
  }

  @Test
  void aggregatesManyGroups() {
    for (int rows : SIZES) {
      check(rows, new Shape(700, 0, random.nextBoolean(), true, false), KINDS);
      check(rows, new Shape(65, 1, random.nextBoolean(), false, true), someKinds());
      check(rows, new Shape(256 + random.nextInt(2), 1, false, true, true), someKinds());
    }
  }

  /** Up to a dozen aggregates, so that more than one pass is needed. */
  private TileOpcode[] someKinds() {
    TileOpcode[] kinds = new TileOpcode[1 + random.nextInt(12)];
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] = random.nextBoolean() ? TileOpcode.AGG_SUM_I64 : KINDS[random.nextInt(5)];
    }
    return kinds;
  }

  @Test
  void pricingSummaryKeepsToTheWorkBudget() {
    TileOpcode[] kinds = new TileOpcode[8];
    Arrays.fill(kinds, TileOpcode.AGG_SUM_I64);
    kinds[7] = TileOpcode.AGG_COUNT;
    check(MANY, new Shape(4, 16, true, true, true), kinds);
    checkWork("tile_program aggregate");
  }

  @Test
  void aggregatesFewSelectedRowsOfMany() {
    TileOpcode[] kinds = {TileOpcode.AGG_SUM_I64, TileOpcode.AGG_COUNT};
    for (int i = 0; i < 4; i++) {
      check(MANY, new Shape(0, 32, true, true, true), kinds);
    }
  }

  @Test
  void sumsOfDoublesDoNotDependOnTheOrder() {
    for (int rows : SIZES) {
      checkSums(
          Arrays.stream(values.doubles(rows)).mapToDouble(Double::longBitsToDouble).toArray(), 3);
      double[] numbers = random.doubles(rows, -1e6, 1e6).toArray();
      checkSums(numbers, 0);
      checkSums(numbers, 300);
    }
  }

  /** Sums up in two orders, and the second time in two parts, which are then combined. */
  private void checkSums(double[] numbers, int groups) {
    int groupCount = Math.max(1, groups);
    List<Integer> rows = new ArrayList<>();
    List<List<Double>> members = new ArrayList<>();
    for (int g = 0; g < groupCount; g++) {
      members.add(new ArrayList<>());
    }
    long[] groupOf = new long[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      rows.add(i);
      groupOf[i] = random.nextInt(groupCount);
      members.get((int) groupOf[i]).add(numbers[i]);
    }
    long[] inOrder = sums(rows, List.of(), numbers, groupOf, groups);
    Collections.shuffle(rows, random);
    int middle = random.nextInt(numbers.length + 1);
    List<Integer> rest = rows.subList(middle, rows.size());
    long[] shuffled = sums(rows.subList(0, middle), rest, numbers, groupOf, groups);
    for (int g = 0; g < groupCount; g++) {
      String message = "group " + g + " of " + members.get(g) + " seed " + seed();
      assertEquals(
          Double.doubleToLongBits(ReferenceFloatSum.of(members.get(g))), inOrder[g], message);
      assertEquals(inOrder[g], shuffled[g], message);
    }
  }

  /** Returns the bits of the sum of each group, of some rows and some more. */
  private long[] sums(
      List<Integer> rows, List<Integer> more, double[] numbers, long[] groupOf, int groups) {
    int groupCount = Math.max(1, groups);
    int size = AccumulatorKind.SUM_F64.sizeInBytes();
    try (MemoryBuffer sums = allocator().allocateZeroed((long) size * (groupCount + 1))) {
      for (List<Integer> part : List.of(rows, more)) {
        addSums(sums, part, numbers, groupOf, groups);
      }
      long[] result = new long[groupCount];
      for (int g = 0; g < groupCount; g++) {
        result[g] = Double.doubleToLongBits(FloatSum.read(sums.address() + (long) g * size));
      }
      return result;
    }
  }

  private void addSums(
      MemoryBuffer sums, List<Integer> rows, double[] numbers, long[] groupOf, int groups) {
    if (rows.isEmpty()) {
      return;
    }
    int groupCount = Math.max(1, groups);
    int size = AccumulatorKind.SUM_F64.sizeInBytes();
    long[] bits = rows.stream().mapToLong(i -> Double.doubleToRawLongBits(numbers[i])).toArray();
    long[] ids = rows.stream().mapToLong(i -> groupOf[i]).toArray();
    try (TileRun run = new TileRun(backend(), allocator(), rows.size())) {
      MemoryBuffer part = run.accumulators((long) size * (groupCount + 1), groupCount, 0);
      run.add(code(TileOpcode.LOAD_I32).dst(GROUP).a(run.ints(ids, null)));
      run.add(code(TileOpcode.LOAD_I64).dst(VALUE).a(run.longs(bits, null)));
      run.add(
          code(TileOpcode.AGG_SUM_F64)
              .a(VALUE)
              .b(groups == 0 ? TileInstruction.NO_REGISTER : GROUP)
              .aux(size));
      assertNull(run.run());
      for (int g = 0; g < groupCount; g++) {
        long at = (long) g * size;
        AccumulatorKind.SUM_F64.combine(sums.address() + at, part.address() + at);
      }
    }
  }

  @Test
  void reportsTheFirstInvalidGroup() {
    int rows = 3000;
    long[] groups = new long[rows];
    groups[1234] = 4;
    groups[2500] = -1;
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      run.accumulators(5 * 8, 4, 0);
      run.add(code(TileOpcode.LOAD_I32).dst(GROUP).a(run.ints(groups, null)));
      run.add(code(TileOpcode.AGG_COUNT).b(GROUP).aux(8));
      KernelError expected = new KernelError(1234, 0, TileError.TILE_ERROR_INVALID_GROUP);
      assertEquals(expected, run.run());
    }
  }

  private void check(int rows, Shape shape, TileOpcode[] kinds) {
    long[] longs = shape.isSmall ? smallLongs(rows) : values.longs(rows);
    BigInteger[] wides = shape.isSmall ? smallWides(rows) : values.wides(rows);
    boolean[] kept = values.bits(rows, shape.hasFilter ? SELECTIVITIES[random.nextInt(4)] : 1);
    boolean[] valid = values.bits(rows, 0.8);
    long[] groups = new long[rows];
    for (int i = 0; i < rows; i++) {
      groups[i] = shape.groups == 0 ? 0 : random.nextInt(shape.groups);
    }
    int groupCount = Math.max(1, shape.groups);
    List<TileAggregateCase> cases = cases(kinds, groupCount, shape.isRowMajor);
    TileAggregateCase last = cases.get(cases.size() - 1);
    long bytes = last.offset + (long) last.stride * (groupCount + 1) + 32;
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      MemoryBuffer accumulators = run.accumulators(bytes, groupCount, shape.copies);
      cases.forEach(each -> each.initialize(accumulators));
      addLoads(run, longs, wides, groups);
      run.add(code(TileOpcode.LOAD_BOOL).dst(0).a(run.input(run.bits(kept), null)));
      run.add(code(TileOpcode.LOAD_BOOL).dst(1).a(run.input(run.bits(valid), null)));
      if (shape.hasFilter) {
        run.add(code(TileOpcode.FILTER).a(0));
      }
      boolean[] masked = addAggregates(run, cases, shape.groups != 0);
      int times = rows < 100 ? 2 : 1;
      for (int time = 0; time < times; time++) {
        assertNull(run.run());
        accept(cases, masked, kept, valid, groups, longs, wides);
      }
      for (TileAggregateCase each : cases) {
        for (int g = 0; g < groupCount; g++) {
          assertEquals(
              each.expected(g),
              each.actual(accumulators, g),
              each.opcode + " group " + g + " rows " + rows + " " + shape + " seed " + seed());
        }
      }
    }
  }

  private static void addLoads(TileRun run, long[] longs, BigInteger[] wides, long[] groups) {
    run.add(code(TileOpcode.LOAD_I32).dst(GROUP).a(run.ints(groups, null)));
    run.add(code(TileOpcode.LOAD_I64).dst(VALUE).a(run.longs(longs, null)));
    run.add(code(TileOpcode.LOAD_I128).dst(WIDE).a(run.wides(wides, null)));
    // The third word of a 192-bit value: the sign of the second.
    run.add(code(TileOpcode.SHR_I64).dst(WIDE + 2).a(WIDE + 1).constantB(Long.SIZE - 1));
  }

  /** Adds the aggregates, some under the validity mask; returns which. */
  private boolean[] addAggregates(TileRun run, List<TileAggregateCase> cases, boolean hasGroups) {
    boolean[] masked = new boolean[cases.size()];
    for (int i = 0; i < masked.length; i++) {
      TileAggregateCase each = cases.get(i);
      masked[i] = random.nextBoolean();
      boolean isWide = each.slotBytes == 32;
      run.add(
          code(each.opcode)
              .a(isWide ? WIDE : VALUE)
              .b(hasGroups ? GROUP : TileInstruction.NO_REGISTER)
              .mask(masked[i] ? 1 : TileInstruction.NO_REGISTER)
              .aux(each.stride)
              .imm(each.offset));
    }
    return masked;
  }

  private static void accept(
      List<TileAggregateCase> cases,
      boolean[] masked,
      boolean[] kept,
      boolean[] valid,
      long[] groups,
      long[] longs,
      BigInteger[] wides) {
    for (int i = 0; i < longs.length; i++) {
      for (int k = 0; k < masked.length && kept[i]; k++) {
        if (valid[i] || !masked[k]) {
          cases.get(k).accept((int) groups[i], longs[i], wides[i]);
        }
      }
    }
  }

  private static List<TileAggregateCase> cases(TileOpcode[] kinds, int groups, boolean isRowMajor) {
    List<TileAggregateCase> cases = new ArrayList<>();
    int record = 32 * kinds.length;
    int offset = 0;
    for (TileOpcode kind : kinds) {
      int stride = isRowMajor ? record : TileAggregateCase.slotBytes(kind);
      cases.add(new TileAggregateCase(kind, offset, stride, groups));
      offset += isRowMajor ? 32 : (stride * (groups + 1) + 31) / 32 * 32;
    }
    return cases;
  }

  /** Wide values of 40 to 60 bits, with any other in some places. */
  private BigInteger[] smallWides(int rows) {
    int shift = random.nextInt(21);
    BigInteger[] wides =
        Arrays.stream(smallLongs(rows))
            .mapToObj(value -> BigInteger.valueOf(value).shiftLeft(shift))
            .toArray(BigInteger[]::new);
    for (int i = random.nextInt(3); i > 0 && rows > 0; i--) {
      wides[random.nextInt(rows)] = values.wides(1)[0];
    }
    return wides;
  }

  private long[] smallLongs(int rows) {
    return random.longs(rows, -1_000_000_000_000L, 1_000_000_000_000L).toArray();
  }
}
