package io.ariadne.kernel.tile;

import static io.ariadne.kernel.tile.TileCode.code;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.testing.AbstractTestKernels;
import io.ariadne.kernel.testing.KernelTestTarget;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Every operation that computes, on random and edge values, against plain Java. */
abstract class AbstractTestTileOperations extends AbstractTestKernels {
  private static final int[] SIZES = {0, 1, 31, 32, 33, 1023, 1025};
  private static final int MAX_SHORT_SCALE = 18;
  private static final int MAX_SCALE = 38;

  private final TileValues values = new TileValues(random);

  AbstractTestTileOperations(KernelTestTarget target) {
    super(target);
  }

  @Test
  void computesUnaryOperationsOnLanes() {
    for (TileOpcode opcode : LaneReference.UNARY.keySet()) {
      for (int rows : new int[] {1025, SIZES[random.nextInt(SIZES.length)]}) {
        checkUnary(opcode, rows, immediate(opcode));
      }
    }
    for (int scale = 0; scale <= MAX_SHORT_SCALE; scale++) {
      checkUnary(TileOpcode.DIV_POW10_HALF_UP_I64, 1025, scale);
      checkUnary(TileOpcode.DIV_POW10_I64, 1025, scale);
      int digits = scale - 2;
      boolean isHalfEven = random.nextBoolean();
      checkUnary(TileOpcode.ROUND_DIGITS_F64, 1025, LaneReference.rounding(digits, 0, isHalfEven));
    }
  }

  @Test
  void convertsDoublesToDecimals() {
    for (int scale = 0; scale <= MAX_SCALE; scale++) {
      checkDoubleToDecimal(33, 1 + random.nextInt(MAX_SCALE), scale);
    }
    checkDoubleToDecimal(1025, MAX_SCALE, 10);
    checkDoubleToDecimal(1025, MAX_SHORT_SCALE, 2);
  }

  private void checkDoubleToDecimal(int rows, int precision, int scale) {
    long[] a = values.doubles(rows);
    long imm = LaneReference.rounding(scale, precision, false);
    BigInteger limit = WideReference.power(precision);
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      run.add(code(TileOpcode.LOAD_I64).dst(0).a(run.longs(a, null)));
      run.add(code(TileOpcode.F64_TO_DECIMAL).dst(1).a(0).mask(1).imm(imm));
      run.add(code(TileOpcode.STORE_I128).dst(run.output(PhysicalType.I128)).a(1));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(1));
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        double value = Double.longBitsToDouble(a[i]);
        BigInteger exact =
            Double.isNaN(value) || Double.isInfinite(value)
                ? BigInteger.ZERO
                : BigDecimal.valueOf(value).setScale(scale, RoundingMode.HALF_UP).unscaledValue();
        boolean overflow = exact.abs().compareTo(limit) >= 0;
        String message = value + " precision " + precision + " scale " + scale + " seed " + seed();
        assertEquals(overflow, run.bitAt(1, i), message);
        assertEquals(overflow ? BigInteger.ZERO : exact, run.wideAt(0, i), message);
      }
    }
  }

  private long immediate(TileOpcode opcode) {
    return switch (opcode) {
      case NARROW_I64 -> new int[] {8, 16, 32}[random.nextInt(3)];
      case ROUND_DIGITS_F64 ->
          LaneReference.rounding(random.nextInt(50) - 25, 0, random.nextBoolean());
      default -> random.nextInt(MAX_SHORT_SCALE + 1);
    };
  }

  private void checkUnary(TileOpcode opcode, int rows, long imm) {
    long[] a = operands(opcode, rows);
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      run.add(code(TileOpcode.LOAD_I64).dst(0).a(run.longs(a, null)));
      run.add(code(opcode).dst(1).a(0).imm(imm));
      run.add(store(opcode).dst(run.output(PhysicalType.I64)).a(1));
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        long expected = LaneReference.UNARY.get(opcode).apply(a[i], imm);
        long actual = run.longAt(0, i);
        if (expected != actual) {
          assertEquals(expected, actual, opcode + " " + a[i] + " imm " + imm + " seed " + seed());
        }
      }
    }
  }

  @Test
  void computesBinaryOperationsOnLanes() {
    for (TileOpcode opcode : LaneReference.BINARY.keySet()) {
      for (int form = 0; form < 3; form++) {
        checkBinary(opcode, form == 0 ? 1025 : SIZES[random.nextInt(SIZES.length)], form);
      }
    }
  }

  /** Form 0 has two registers, 1 a constant b, 2 a constant a. */
  private void checkBinary(TileOpcode opcode, int rows, int form) {
    long[] a = operands(opcode, rows);
    long[] b = operands(opcode, rows);
    long constant = operands(opcode, 1)[0];
    boolean hasOverflow = LaneReference.OVERFLOWS.containsKey(opcode);
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      run.add(code(TileOpcode.LOAD_I64).dst(0).a(run.longs(a, null)));
      run.add(code(TileOpcode.LOAD_I64).dst(1).a(run.longs(b, null)));
      run.add(withForm(code(opcode).dst(1).a(0).b(1).mask(0), form, constant));
      run.add(store(opcode).dst(run.output(PhysicalType.I64)).a(1));
      if (hasOverflow) {
        run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(0));
      }
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        long x = form == 2 ? constant : a[i];
        long y = form == 1 ? constant : b[i];
        String message = opcode + " " + x + " " + y + " form " + form + " seed " + seed();
        long expected = LaneReference.BINARY.get(opcode).applyAsLong(x, y);
        if (expected != run.longAt(0, i)) {
          assertEquals(expected, run.longAt(0, i), message);
        }
        if (hasOverflow) {
          assertEquals(LaneReference.OVERFLOWS.get(opcode).test(x, y), run.bitAt(1, i), message);
        }
      }
    }
  }

  private static TileCode withForm(TileCode code, int form, long constant) {
    return switch (form) {
      case 1 -> code.constantB(constant);
      case 2 -> code.constantA(constant);
      default -> code;
    };
  }

  @Test
  void comparesLanes() {
    for (TileOpcode opcode : LaneReference.COMPARE.keySet()) {
      for (int form = 0; form < 3; form++) {
        int rows = form == 0 ? 1025 : SIZES[random.nextInt(SIZES.length)];
        long[] a = operands(opcode, rows);
        long[] b = operands(opcode, rows);
        long constant = operands(opcode, 1)[0];
        try (TileRun run = new TileRun(backend(), allocator(), rows)) {
          run.add(code(TileOpcode.LOAD_I64).dst(0).a(run.longs(a, null)));
          run.add(code(TileOpcode.LOAD_I64).dst(1).a(run.longs(b, null)));
          run.add(withForm(code(opcode).dst(1).a(0).b(1), form, constant));
          run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(1));
          assertNull(run.run());
          for (int i = 0; i < rows; i++) {
            long x = form == 2 ? constant : a[i];
            long y = form == 1 ? constant : b[i];
            boolean expected = LaneReference.COMPARE.get(opcode).test(x, y);
            assertEquals(expected, run.bitAt(0, i), opcode + " " + x + " " + y + " seed " + seed());
          }
        }
      }
    }
  }

  @Test
  void computesUnaryOperationsOnWides() {
    for (TileOpcode opcode : WideReference.UNARY.keySet()) {
      for (int scale = 0; scale <= MAX_SCALE; scale++) {
        int rows = scale % 7 == 0 ? 1025 : 33;
        BigInteger[] a = values.wides(rows);
        try (TileRun run = new TileRun(backend(), allocator(), rows)) {
          run.add(code(TileOpcode.LOAD_I128).dst(0).a(run.wides(a, null)));
          run.add(code(opcode).dst(1).a(0).imm(scale));
          run.add(code(TileOpcode.STORE_I128).dst(run.output(PhysicalType.I128)).a(1));
          assertNull(run.run());
          for (int i = 0; i < rows; i++) {
            assertEquals(
                WideReference.UNARY.get(opcode).apply(a[i], scale),
                run.wideAt(0, i),
                opcode + " " + a[i] + " scale " + scale + " seed " + seed());
          }
        }
      }
    }
  }

  @Test
  void computesBinaryOperationsAndComparisonsOfWides() {
    for (int form = 0; form < 3; form++) {
      int rows = form == 0 ? 1025 : 33;
      BigInteger[] a = values.wides(rows);
      BigInteger[] b = values.wides(rows);
      BigInteger constant = values.wides(1)[0];
      for (TileOpcode opcode : WideReference.BINARY.keySet()) {
        try (TileRun run = wideRun(rows, a, b)) {
          int slot = run.constant(constant);
          run.add(withForm(code(opcode).dst(1).a(0).b(2), form, slot));
          run.add(code(TileOpcode.STORE_I128).dst(run.output(PhysicalType.I128)).a(1));
          assertNull(run.run());
          for (int i = 0; i < rows; i++) {
            BigInteger x = form == 2 ? constant : a[i];
            BigInteger y = form == 1 ? constant : b[i];
            BigInteger expected = WideReference.BINARY.get(opcode).apply(x, y);
            assertEquals(expected, run.wideAt(0, i), opcode + " " + x + " " + y);
          }
        }
      }
      for (TileOpcode opcode : WideReference.COMPARE.keySet()) {
        try (TileRun run = wideRun(rows, a, b)) {
          int slot = run.constant(constant);
          run.add(withForm(code(opcode).dst(1).a(0).b(2), form, slot));
          run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(1));
          assertNull(run.run());
          for (int i = 0; i < rows; i++) {
            BigInteger x = form == 2 ? constant : a[i];
            BigInteger y = form == 1 ? constant : b[i];
            boolean expected = WideReference.COMPARE.get(opcode).test(x, y);
            assertEquals(expected, run.bitAt(0, i), opcode + " " + x + " " + y);
          }
        }
      }
    }
  }

  private TileRun wideRun(int rows, BigInteger[] a, BigInteger[] b) {
    TileRun run = new TileRun(backend(), allocator(), rows);
    run.add(code(TileOpcode.LOAD_I128).dst(0).a(run.wides(a, null)));
    run.add(code(TileOpcode.LOAD_I128).dst(2).a(run.wides(b, null)));
    return run;
  }

  @Test
  void computesDecimalOperations() {
    for (TileOpcode opcode : WideReference.DECIMAL.keySet()) {
      for (int round = 0; round < 12; round++) {
        checkDecimal(opcode, round == 0 ? 1025 : 65, scaling(opcode));
      }
    }
  }

  private WideReference.Scaling scaling(TileOpcode opcode) {
    int precision = random.nextInt(4) == 0 ? random.nextInt(MAX_SCALE) + 1 : MAX_SCALE;
    int small = random.nextInt(MAX_SCALE + 1);
    int other = random.nextInt(MAX_SCALE + 1);
    int large = random.nextInt(2 * MAX_SCALE + 1);
    boolean choice = random.nextBoolean();
    return switch (opcode) {
      case DECIMAL_MUL -> new WideReference.Scaling(0, 0, large, precision);
      case DECIMAL_DIV ->
          new WideReference.Scaling(choice ? large : 0, 0, choice ? 0 : small, precision);
      case DECIMAL_REM ->
          new WideReference.Scaling(choice ? small : 0, choice ? 0 : small, 0, precision);
      case DECIMAL_RESCALE ->
          new WideReference.Scaling(choice ? small : 0, 0, choice ? 0 : small, precision);
      default -> new WideReference.Scaling(choice ? small : 0, other, random.nextInt(8), precision);
    };
  }

  private void checkDecimal(TileOpcode opcode, int rows, WideReference.Scaling scaling) {
    BigInteger[] a = values.decimals(rows);
    BigInteger[] b = values.decimals(rows);
    try (TileRun run = wideRun(rows, a, b)) {
      run.add(code(opcode).dst(0).a(0).b(2).mask(1).imm(scaling.imm()));
      run.add(code(TileOpcode.STORE_I128).dst(run.output(PhysicalType.I128)).a(0));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(1));
      assertNull(run.run());
      BigInteger limit = WideReference.power(scaling.precision());
      for (int i = 0; i < rows; i++) {
        BigInteger exact = WideReference.DECIMAL.get(opcode).apply(a[i], b[i], scaling);
        boolean overflow = exact.abs().compareTo(limit) >= 0;
        String message = opcode + " " + a[i] + " " + b[i] + " " + scaling + " seed " + seed();
        assertEquals(overflow, run.bitAt(1, i), message);
        assertEquals(overflow ? BigInteger.ZERO : exact, run.wideAt(0, i), message);
      }
    }
  }

  @Test
  void computesStepFunctions() {
    for (int steps : new int[] {1, 2, 3, 64, 1000}) {
      for (int rows : new int[] {1025, SIZES[random.nextInt(SIZES.length)]}) {
        checkSteps(steps, rows);
      }
    }
  }

  private void checkSteps(int count, int rows) {
    TreeMap<Long, Long> steps = new TreeMap<>();
    while (steps.size() < count) {
      steps.put((long) random.nextInt(), random.nextLong());
    }
    long start = steps.lastKey() - random.nextInt(1000);
    long period = random.nextBoolean() ? 5000 : 1L << 40;
    long[] a = random.nextBoolean() ? values.longs(rows) : values.days(rows);
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      int slot = run.constant(wide(start, period));
      steps.forEach((key, value) -> run.constant(wide(key, value)));
      run.add(code(TileOpcode.LOAD_I64).dst(0).a(run.longs(a, null)));
      long bytes = 16L * (count + 1);
      run.add(code(TileOpcode.STEP_VALUE).dst(1).a(0).imm(bytes << Integer.SIZE | slot));
      run.add(code(TileOpcode.STORE_I64).dst(run.output(PhysicalType.I64)).a(1));
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        long key = a[i] < start ? a[i] : start + Long.remainderUnsigned(a[i] - start, period);
        Map.Entry<Long, Long> step = steps.floorEntry(key);
        long expected = (step == null ? steps.firstEntry() : step).getValue();
        assertEquals(expected, run.longAt(0, i), "step of " + a[i] + " seed " + seed());
      }
    }
  }

  private static BigInteger wide(long low, long high) {
    return BigInteger.valueOf(high)
        .shiftLeft(Long.SIZE)
        .add(new BigInteger(Long.toUnsignedString(low)));
  }

  @Test
  void convertsBetweenWidths() {
    int rows = 1025;
    long[] a = values.longs(rows);
    long[] b = values.longs(rows);
    BigInteger[] wides = values.wides(rows);
    int digits = random.nextInt(MAX_SCALE + 1);
    try (TileRun run = new TileRun(backend(), allocator(), rows)) {
      run.add(code(TileOpcode.LOAD_I64).dst(0).a(run.longs(a, null)));
      run.add(code(TileOpcode.LOAD_I64).dst(1).a(run.longs(b, null)));
      run.add(code(TileOpcode.LOAD_I128).dst(2).a(run.wides(wides, null)));
      run.add(code(TileOpcode.MUL_WIDE_I64).dst(4).a(0).b(1));
      run.add(code(TileOpcode.STORE_I128).dst(run.output(PhysicalType.I128)).a(4));
      run.add(code(TileOpcode.MUL_WIDE_I64).dst(4).a(0).constantB(Long.MIN_VALUE + 1));
      run.add(code(TileOpcode.STORE_I128).dst(run.output(PhysicalType.I128)).a(4));
      run.add(code(TileOpcode.MUL_WIDE_I64).dst(4).b(0).constantA(1_000_000_007L));
      run.add(code(TileOpcode.STORE_I128).dst(run.output(PhysicalType.I128)).a(4));
      run.add(code(TileOpcode.WIDEN_I64).dst(6).a(0));
      run.add(code(TileOpcode.STORE_I128).dst(run.output(PhysicalType.I128)).a(6));
      run.add(code(TileOpcode.NARROW_I128).dst(8).a(2).mask(0));
      run.add(code(TileOpcode.STORE_I64).dst(run.output(PhysicalType.I64)).a(8));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(0));
      run.add(code(TileOpcode.EXCEEDS_PRECISION_I128).dst(1).a(2).imm(digits));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(1));
      run.add(code(TileOpcode.EXCEEDS_PRECISION_I64).dst(2).a(0).imm(digits % 19));
      run.add(code(TileOpcode.STORE_BOOL).dst(run.output(PhysicalType.BOOL)).a(2));
      run.add(code(TileOpcode.DECIMAL_TO_F64).dst(9).a(2).imm(digits));
      run.add(code(TileOpcode.STORE_F64).dst(run.output(PhysicalType.F64)).a(9));
      assertNull(run.run());
      for (int i = 0; i < rows; i++) {
        BigInteger exact = BigInteger.valueOf(a[i]).multiply(BigInteger.valueOf(b[i]));
        assertEquals(exact, run.wideAt(0, i));
        BigInteger value = BigInteger.valueOf(a[i]);
        assertEquals(value.multiply(BigInteger.valueOf(Long.MIN_VALUE + 1)), run.wideAt(1, i));
        assertEquals(value.multiply(BigInteger.valueOf(1_000_000_007L)), run.wideAt(2, i));
        assertEquals(BigInteger.valueOf(a[i]), run.wideAt(3, i));
        assertEquals(wides[i].longValue(), run.longAt(4, i));
        assertEquals(wides[i].bitLength() >= Long.SIZE, run.bitAt(5, i));
        BigInteger limit = WideReference.power(digits);
        assertEquals(wides[i].abs().compareTo(limit) >= 0, run.bitAt(6, i));
        BigInteger shortLimit = WideReference.power(digits % 19);
        assertEquals(BigInteger.valueOf(a[i]).abs().compareTo(shortLimit) >= 0, run.bitAt(7, i));
        double nearest = Double.parseDouble(new BigDecimal(wides[i], digits).toString());
        assertEquals(Double.doubleToLongBits(nearest), run.longAt(8, i), wides[i] + "e-" + digits);
      }
    }
  }

  private long[] operands(TileOpcode opcode, int rows) {
    return switch (opcode) {
      case YEAR, MONTH, DAY_OF_MONTH, DAY_OF_YEAR, QUARTER, MONTH_NUMBER -> values.days(rows);
      case FIRST_DAY_OF_MONTH -> random.nextBoolean() ? values.days(rows) : values.longs(rows);
      case KEY_TO_F64, I64_TO_F64, I64_TO_F32, DECIMAL_I64_TO_F64 -> values.longs(rows);
      default -> takesDoubles(opcode) ? values.doubles(rows) : values.longs(rows);
    };
  }

  private static boolean takesDoubles(TileOpcode opcode) {
    return opcode.name().contains("F64")
        || opcode == TileOpcode.ROUND_F32
        || opcode == TileOpcode.F32_BITS;
  }

  private static TileCode store(TileOpcode opcode) {
    boolean givesDoubles =
        switch (opcode) {
          case F64_TO_KEY, F64_TO_I64, F64_TO_I32, F32_BITS -> false;
          case I64_TO_F32 -> true;
          default -> takesDoubles(opcode);
        };
    return code(givesDoubles ? TileOpcode.STORE_F64 : TileOpcode.STORE_I64);
  }
}
