package io.ariadne.kernel.tile;

import io.ariadne.kernel.abi.TileOpcode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/** What the operations on 128-bit integers and decimals compute, in plain Java. */
final class WideReference {
  /** From the operand and imm. */
  interface Unary {
    BigInteger apply(BigInteger a, int imm);
  }

  /** Scaling of a decimal operation: the bytes of imm. */
  record Scaling(int upA, int upB, int down, int precision) {
    long imm() {
      return upA | (long) upB << 8 | (long) down << 16 | (long) precision << 24;
    }
  }

  /** An exact decimal operation with one rounding. */
  interface DecimalOperation {
    BigInteger apply(BigInteger a, BigInteger b, Scaling scaling);
  }

  static final Map<TileOpcode, Unary> UNARY = new EnumMap<>(TileOpcode.class);
  static final Map<TileOpcode, BiFunction<BigInteger, BigInteger, BigInteger>> BINARY =
      new EnumMap<>(TileOpcode.class);
  static final Map<TileOpcode, BiPredicate<BigInteger, BigInteger>> COMPARE =
      new EnumMap<>(TileOpcode.class);
  static final Map<TileOpcode, DecimalOperation> DECIMAL = new EnumMap<>(TileOpcode.class);

  private WideReference() {}

  static {
    BINARY.put(TileOpcode.ADD_I128, (a, b) -> wrap(a.add(b)));
    BINARY.put(TileOpcode.SUB_I128, (a, b) -> wrap(a.subtract(b)));
    BINARY.put(TileOpcode.MUL_I128, (a, b) -> wrap(a.multiply(b)));
    UNARY.put(TileOpcode.NEG_I128, (a, imm) -> wrap(a.negate()));
    UNARY.put(TileOpcode.ABS_I128, (a, imm) -> wrap(a.abs()));
    UNARY.put(TileOpcode.DIV_POW10_I128, (a, imm) -> quotient(a, power(imm), RoundingMode.DOWN));
    UNARY.put(
        TileOpcode.DIV_POW10_HALF_UP_I128,
        (a, imm) -> quotient(a, power(imm), RoundingMode.HALF_UP));
    COMPARE.put(TileOpcode.EQ_I128, BigInteger::equals);
    COMPARE.put(TileOpcode.NE_I128, (a, b) -> !a.equals(b));
    COMPARE.put(TileOpcode.LT_I128, (a, b) -> a.compareTo(b) < 0);
    COMPARE.put(TileOpcode.LE_I128, (a, b) -> a.compareTo(b) <= 0);
    COMPARE.put(TileOpcode.GT_I128, (a, b) -> a.compareTo(b) > 0);
    COMPARE.put(TileOpcode.GE_I128, (a, b) -> a.compareTo(b) >= 0);
    DECIMAL.put(TileOpcode.DECIMAL_ADD, (a, b, s) -> down(up(a, s.upA).add(up(b, s.upB)), s));
    DECIMAL.put(TileOpcode.DECIMAL_SUB, (a, b, s) -> down(up(a, s.upA).subtract(up(b, s.upB)), s));
    DECIMAL.put(TileOpcode.DECIMAL_MUL, (a, b, s) -> down(a.multiply(b), s));
    DECIMAL.put(TileOpcode.DECIMAL_RESCALE, (a, b, s) -> down(up(a, s.upA), s));
    DECIMAL.put(
        TileOpcode.DECIMAL_DIV,
        (a, b, s) ->
            b.signum() == 0
                ? BigInteger.ZERO
                : quotient(up(a, s.upA), up(b, s.down), RoundingMode.HALF_UP));
    DECIMAL.put(
        TileOpcode.DECIMAL_REM,
        (a, b, s) -> b.signum() == 0 ? BigInteger.ZERO : up(a, s.upA).remainder(up(b, s.upB)));
  }

  static BigInteger power(int exponent) {
    return BigInteger.TEN.pow(exponent);
  }

  private static BigInteger up(BigInteger value, int exponent) {
    return value.multiply(power(exponent));
  }

  private static BigInteger down(BigInteger value, Scaling scaling) {
    return quotient(value, power(scaling.down), RoundingMode.HALF_UP);
  }

  private static BigInteger quotient(BigInteger a, BigInteger b, RoundingMode mode) {
    return new BigDecimal(a).divide(new BigDecimal(b), 0, mode).toBigIntegerExact();
  }

  /** The low 128 bits as a signed integer. */
  static BigInteger wrap(BigInteger value) {
    BigInteger modulus = BigInteger.ONE.shiftLeft(2 * Long.SIZE);
    BigInteger low = value.mod(modulus);
    return low.testBit(2 * Long.SIZE - 1) ? low.subtract(modulus) : low;
  }
}
