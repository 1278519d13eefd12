package io.ariadne.expression;

/** Functions with kernels. Argument and result types are checked by {@link FunctionSupport}. */
public enum Function {
  /** {@code a + b}; for decimals the result type gives precision and scale. */
  ADD,
  /** {@code a - b}. */
  SUBTRACT,
  /** {@code a * b}. */
  MULTIPLY,
  /** {@code a / b}; decimals and floats; null or error on a zero divisor. */
  DIVIDE,
  /** Integral division, result INT64. */
  INTEGRAL_DIVIDE,
  /** {@code a % b} with the sign of a. */
  REMAINDER,
  /** {@code -a}. */
  NEGATE,
  /** Absolute value. */
  ABS,
  /** {@code a = b}; NaN equals NaN, -0.0 equals 0.0. */
  EQUAL,
  /** {@code a <=> b}; never null. */
  NULL_SAFE_EQUAL,
  /** {@code a <> b}. */
  NOT_EQUAL,
  /** {@code a < b}; NaN is largest. */
  LESS,
  /** {@code a <= b}. */
  LESS_OR_EQUAL,
  /** {@code a > b}. */
  GREATER,
  /** {@code a >= b}. */
  GREATER_OR_EQUAL,
  /** Three-valued conjunction. */
  AND,
  /** Three-valued disjunction. */
  OR,
  /** Three-valued negation. */
  NOT,
  /** Never null. */
  IS_NULL,
  /** Never null. */
  IS_NOT_NULL,
  /** {@code isnan(a)}; false for null. */
  IS_NAN,
  /** Arguments: value, then literals. Spark's three-valued IN. */
  IN,
  /** Arguments: condition, value, condition, value, ..., else value (always present). */
  CASE_WHEN,
  /** First argument that is not null. */
  COALESCE,
  /** Conversion to the result type. */
  CAST,
  /** Decimal to another precision and scale: null or error on overflow (Spark's CheckOverflow). */
  CHECK_OVERFLOW,
  /** Unscaled INT64 of a decimal of at most 18 digits. */
  UNSCALED_VALUE,
  /** Decimal from an unscaled INT64. */
  MAKE_DECIMAL,
  /** Year of a DATE32. */
  YEAR,
  /** Month, 1 to 12, of a DATE32. */
  MONTH,
  /** Day of month, 1 to 31, of a DATE32. */
  DAY_OF_MONTH,
  /** DATE32 plus INT32 days. */
  DATE_ADD,
  /** DATE32 minus INT32 days. */
  DATE_SUB,
  /** Bitwise and. */
  BITWISE_AND,
  /** Bitwise or. */
  BITWISE_OR,
  /** Bitwise exclusive or. */
  BITWISE_XOR,
  /** Bitwise complement. */
  BITWISE_NOT,
  /** {@code a << b} of INT32 or INT64; b INT32, modulo the width. */
  SHIFT_LEFT,
  /** {@code a >> b}, arithmetic. */
  SHIFT_RIGHT,
  /** {@code a >>> b}. */
  SHIFT_RIGHT_UNSIGNED,
  /** Quarter, 1 to 4, of a DATE32. */
  QUARTER,
  /** Day of year, 1 to 366, of a DATE32. */
  DAY_OF_YEAR,
  /** Square root of a double. */
  SQRT,
  /** One NaN and no negative zero (Spark's NormalizeNaNAndZero). */
  NORMALIZE_FLOATING,
  /**
   * Spark's {@code hash}: an INT32 seed, then values of any types. Murmur3, each value with the
   * hash of those before it as its seed; nulls change nothing; never null. With the seed 42, what
   * Spark's {@code HashPartitioning} takes modulo the number of partitions.
   */
  MURMUR3_HASH,
  /** Spark's {@code xxhash64}: as {@link #MURMUR3_HASH} with 64 bits, the seed an INT64. */
  XXHASH64
}
