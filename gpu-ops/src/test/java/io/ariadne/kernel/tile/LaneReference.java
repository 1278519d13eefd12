package io.ariadne.kernel.tile;

import io.ariadne.expression.FloatText;
import io.ariadne.kernel.abi.TileOpcode;
import io.ariadne.kernel.testing.SparkHashes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/**
 * What the operations on 64-bit lanes compute, in plain Java. Doubles travel as their bits; results
 * that are doubles have one NaN.
 */
final class LaneReference {
  /** From the operand and imm. */
  interface Unary {
    long apply(long a, long imm);
  }

  /** From two operands. */
  interface Predicate {
    boolean test(long a, long b);
  }

  /** On doubles. */
  private interface DoubleUnary {
    double apply(double a);
  }

  /** On doubles. */
  private interface DoubleBinary {
    double apply(double a, double b);
  }

  static final Map<TileOpcode, Unary> UNARY = new EnumMap<>(TileOpcode.class);
  static final Map<TileOpcode, LongBinaryOperator> BINARY = new EnumMap<>(TileOpcode.class);
  static final Map<TileOpcode, Predicate> OVERFLOWS = new EnumMap<>(TileOpcode.class);
  static final Map<TileOpcode, Predicate> COMPARE = new EnumMap<>(TileOpcode.class);

  private static final long HALF_EVEN = 1L << 41;

  private LaneReference() {}

  static {
    addIntegers();
    addDoubles();
    addConversions();
    addDates();
    addHashes();
    addComparisons();
  }

  private static void addIntegers() {
    BINARY.put(TileOpcode.ADD_I64, (a, b) -> a + b);
    BINARY.put(TileOpcode.SUB_I64, (a, b) -> a - b);
    BINARY.put(TileOpcode.MUL_I64, (a, b) -> a * b);
    BINARY.put(TileOpcode.ADD_OVERFLOW_I64, (a, b) -> a + b);
    BINARY.put(TileOpcode.SUB_OVERFLOW_I64, (a, b) -> a - b);
    BINARY.put(TileOpcode.MUL_OVERFLOW_I64, (a, b) -> a * b);
    BINARY.put(TileOpcode.DIV_I64, (a, b) -> b == 0 ? 0 : a / b);
    BINARY.put(TileOpcode.REM_I64, (a, b) -> b == 0 ? 0 : a % b);
    BINARY.put(TileOpcode.FLOOR_DIV_I64, (a, b) -> b == 0 ? 0 : Math.floorDiv(a, b));
    BINARY.put(TileOpcode.FLOOR_MOD_I64, (a, b) -> b == 0 ? 0 : Math.floorMod(a, b));
    BINARY.put(TileOpcode.AND_I64, (a, b) -> a & b);
    BINARY.put(TileOpcode.OR_I64, (a, b) -> a | b);
    BINARY.put(TileOpcode.XOR_I64, (a, b) -> a ^ b);
    BINARY.put(TileOpcode.SHL_I64, (a, b) -> a << b);
    BINARY.put(TileOpcode.SHR_I64, (a, b) -> a >> b);
    BINARY.put(TileOpcode.USHR_I64, (a, b) -> a >>> b);
    BINARY.put(TileOpcode.SHL_I32, (a, b) -> (int) a << b);
    BINARY.put(TileOpcode.SHR_I32, (a, b) -> (int) a >> b);
    BINARY.put(TileOpcode.USHR_I32, (a, b) -> (int) a >>> b);
    OVERFLOWS.put(TileOpcode.ADD_OVERFLOW_I64, (a, b) -> !fits(big(a).add(big(b))));
    OVERFLOWS.put(TileOpcode.SUB_OVERFLOW_I64, (a, b) -> !fits(big(a).subtract(big(b))));
    OVERFLOWS.put(TileOpcode.MUL_OVERFLOW_I64, (a, b) -> !fits(big(a).multiply(big(b))));
    UNARY.put(TileOpcode.NEG_I64, (a, imm) -> -a);
    UNARY.put(TileOpcode.ABS_I64, (a, imm) -> Math.abs(a));
    UNARY.put(TileOpcode.BIT_COUNT_I64, (a, imm) -> Long.bitCount(a));
    UNARY.put(TileOpcode.NARROW_I64, LaneReference::narrow);
    UNARY.put(TileOpcode.DIV_POW10_I64, (a, imm) -> scaleDown(a, imm, RoundingMode.DOWN));
    UNARY.put(
        TileOpcode.DIV_POW10_HALF_UP_I64, (a, imm) -> scaleDown(a, imm, RoundingMode.HALF_UP));
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  private static boolean fits(BigInteger value) {
    return value.bitLength() < Long.SIZE;
  }

  private static long narrow(long a, long bits) {
    return switch ((int) bits) {
      case Byte.SIZE -> (byte) a;
      case Short.SIZE -> (short) a;
      default -> (int) a;
    };
  }

  private static long scaleDown(long a, long scale, RoundingMode mode) {
    return BigDecimal.valueOf(a, (int) scale).setScale(0, mode).longValueExact();
  }

  private static void addDoubles() {
    unary(TileOpcode.NEG_F64, a -> -a);
    unary(TileOpcode.ABS_F64, Math::abs);
    unary(TileOpcode.SQRT_F64, Math::sqrt);
    unary(TileOpcode.FLOOR_F64, Math::floor);
    unary(TileOpcode.CEIL_F64, Math::ceil);
    unary(TileOpcode.ROUND_F32, a -> (float) a);
    unary(TileOpcode.NORMALIZE_F64, a -> a == 0 ? 0.0 : a);
    UNARY.put(TileOpcode.ROUND_DIGITS_F64, LaneReference::roundDigits);
    binary(TileOpcode.ADD_F64, (a, b) -> a + b);
    binary(TileOpcode.SUB_F64, (a, b) -> a - b);
    binary(TileOpcode.MUL_F64, (a, b) -> a * b);
    binary(TileOpcode.DIV_F64, (a, b) -> a / b);
    binary(TileOpcode.REM_F64, (a, b) -> a % b);
  }

  /** As BigDecimal rounds what this JVM's Double.toString shows. */
  private static long roundDigits(long bits, long imm) {
    double a = Double.longBitsToDouble(bits);
    if (Double.isNaN(a) || Double.isInfinite(a)) {
      return bits(a);
    }
    RoundingMode mode = (imm & HALF_EVEN) != 0 ? RoundingMode.HALF_EVEN : RoundingMode.HALF_UP;
    return bits(BigDecimal.valueOf(a).setScale((int) imm, mode).doubleValue());
  }

  /** Returns the immediate of ROUND_DIGITS_F64, and, with a precision, of F64_TO_DECIMAL. */
  static long rounding(int scale, int precision, boolean isHalfEven) {
    boolean isClassic = FloatText.OF_THIS_JVM == FloatText.CLASSIC;
    return (scale & 0xffffffffL)
        | (long) precision << 32
        | (isClassic ? 1L << 40 : 0)
        | (isHalfEven ? HALF_EVEN : 0);
  }

  private static void addConversions() {
    UNARY.put(TileOpcode.I64_TO_F64, (a, imm) -> bits((double) a));
    UNARY.put(TileOpcode.I64_TO_F32, (a, imm) -> bits((float) a));
    UNARY.put(TileOpcode.F64_TO_I64, (a, imm) -> (long) Double.longBitsToDouble(a));
    UNARY.put(TileOpcode.F64_TO_I32, (a, imm) -> (int) Double.longBitsToDouble(a));
    UNARY.put(
        TileOpcode.DECIMAL_I64_TO_F64,
        (a, imm) -> bits(BigDecimal.valueOf(a, (int) imm).doubleValue()));
    UNARY.put(TileOpcode.F64_TO_KEY, (a, imm) -> key(Double.longBitsToDouble(a)));
    UNARY.put(
        TileOpcode.KEY_TO_F64,
        (a, imm) -> bits(Double.longBitsToDouble(a ^ (a >> 63 & Long.MAX_VALUE))));
  }

  private static long key(double a) {
    long bits = Double.doubleToLongBits(a);
    return bits ^ (bits >> 63 & Long.MAX_VALUE);
  }

  private static void addDates() {
    UNARY.put(TileOpcode.YEAR, (a, imm) -> date(a).getYear());
    UNARY.put(TileOpcode.MONTH, (a, imm) -> date(a).getMonthValue());
    UNARY.put(TileOpcode.DAY_OF_MONTH, (a, imm) -> date(a).getDayOfMonth());
    UNARY.put(TileOpcode.DAY_OF_YEAR, (a, imm) -> date(a).getDayOfYear());
    UNARY.put(TileOpcode.QUARTER, (a, imm) -> date(a).get(IsoFields.QUARTER_OF_YEAR));
    UNARY.put(
        TileOpcode.MONTH_NUMBER, (a, imm) -> date(a).getLong(ChronoField.PROLEPTIC_MONTH) - 23640);
    UNARY.put(TileOpcode.FIRST_DAY_OF_MONTH, (a, imm) -> firstDay(a));
    UNARY.put(TileOpcode.SECOND_OF_MICROS, (a, imm) -> Math.floorDiv(a, 1_000_000L));
  }

  private static long firstDay(long months) {
    long near = Math.max(-1L << 27, Math.min(1L << 27, months));
    return LocalDate.EPOCH.plusMonths(near).toEpochDay();
  }

  private static void addHashes() {
    BINARY.put(TileOpcode.MURMUR3_I32, (a, b) -> SparkHashes.murmur3((int) a, (int) b));
    BINARY.put(TileOpcode.MURMUR3_I64, (a, b) -> SparkHashes.murmur3(a, (int) b));
    BINARY.put(TileOpcode.XXHASH64_I32, (a, b) -> SparkHashes.xxhash64((int) a, b));
    BINARY.put(TileOpcode.XXHASH64_I64, SparkHashes::xxhash64);
    UNARY.put(
        TileOpcode.F32_BITS,
        (a, imm) -> {
          float nearest = (float) Double.longBitsToDouble(a);
          return nearest == 0 ? 0 : Float.floatToIntBits(nearest);
        });
  }

  private static LocalDate date(long day) {
    return LocalDate.ofEpochDay((int) day);
  }

  private static void addComparisons() {
    COMPARE.put(TileOpcode.EQ_I64, (a, b) -> a == b);
    COMPARE.put(TileOpcode.NE_I64, (a, b) -> a != b);
    COMPARE.put(TileOpcode.LT_I64, (a, b) -> a < b);
    COMPARE.put(TileOpcode.LE_I64, (a, b) -> a <= b);
    COMPARE.put(TileOpcode.GT_I64, (a, b) -> a > b);
    COMPARE.put(TileOpcode.GE_I64, (a, b) -> a >= b);
    COMPARE.put(TileOpcode.EQ_F64, (a, b) -> order(a, b) == 0);
    COMPARE.put(TileOpcode.NE_F64, (a, b) -> order(a, b) != 0);
    COMPARE.put(TileOpcode.LT_F64, (a, b) -> order(a, b) < 0);
    COMPARE.put(TileOpcode.LE_F64, (a, b) -> order(a, b) <= 0);
    COMPARE.put(TileOpcode.GT_F64, (a, b) -> order(a, b) > 0);
    COMPARE.put(TileOpcode.GE_F64, (a, b) -> order(a, b) >= 0);
  }

  /** Spark's order: NaN equals itself and is the largest, zeros are equal. */
  private static int order(long a, long b) {
    double x = Double.longBitsToDouble(a);
    double y = Double.longBitsToDouble(b);
    return x == y ? 0 : Double.compare(x, y);
  }

  private static void unary(TileOpcode opcode, DoubleUnary f) {
    UNARY.put(opcode, (a, imm) -> bits(f.apply(Double.longBitsToDouble(a))));
  }

  private static void binary(TileOpcode opcode, DoubleBinary f) {
    BINARY.put(
        opcode, (a, b) -> bits(f.apply(Double.longBitsToDouble(a), Double.longBitsToDouble(b))));
  }

  private static long bits(double value) {
    return Double.doubleToLongBits(value);
  }
}
