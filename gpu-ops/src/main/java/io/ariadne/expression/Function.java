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
  /** Cast to the result type. */
  CAST,
  /** The same number as a value of another type, for example the days of a date. */
  REINTERPRET,
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
  XXHASH64,
  /** The largest argument that is not null; the first of equal ones. NaN is largest. */
  GREATEST,
  /** The smallest argument that is not null; the first of equal ones. */
  LEAST,
  /** The first argument, or the second where that is NaN; null where the first is. */
  NANVL,
  /** {@code a % b}, plus {@code b} where that is negative; null or error on a zero divisor. */
  POSITIVE_MODULO,
  /** Rounds half up to so many digits after the point as the second argument, a literal, tells. */
  ROUND,
  /** As {@link #ROUND}, ties to even. */
  ROUND_HALF_EVEN,
  /** As {@link #ROUND}, rounded up. */
  CEILING,
  /** As {@link #ROUND}, rounded down. */
  FLOOR,
  /** -1.0, 0.0, 1.0 or NaN; of numbers and intervals. */
  SIGNUM,
  /** The nearest integral double, ties to even. */
  RINT,
  /** Radians to degrees. */
  TO_DEGREES,
  /** Degrees to radians. */
  TO_RADIANS,
  /** {@code n!} of an INT32 from 0 to 20, else null. */
  FACTORIAL,
  /** Bits that are set in an integer, sign-extended to 64 bits, or in a boolean. */
  BIT_COUNT,
  /** The bit at a position; a position without a bit is an error in every mode. */
  BIT_GET,
  /** Day of the week of a DATE32, 1 (Sunday) to 7. */
  DAY_OF_WEEK,
  /** Day of the week of a DATE32, 0 (Monday) to 6. */
  WEEK_DAY,
  /** ISO week of a DATE32. */
  WEEK_OF_YEAR,
  /** Year of the ISO week of a DATE32. */
  YEAR_OF_WEEK,
  /** Last day of the month of a DATE32. */
  LAST_DAY,
  /** The next day after a DATE32 with a day of the week: a literal, 0 (Thursday) to 6. */
  NEXT_DAY,
  /** DATE32 plus INT32 months, at most the last day of the month; always an error on overflow. */
  ADD_MONTHS,
  /** DATE32 truncated to a unit, a literal: an ordinal of {@link CalendarUnit} from WEEK on. */
  TRUNC_DATE,
  /** INT32 days from the second DATE32 to the first; wraps. */
  DATE_DIFF,
  /**
   * DATE32 of year, month and day. The fourth argument is a literal: whether it is an error when
   * there is no such date, which is null otherwise. Dates beyond 32 bits are always an error.
   */
  MAKE_DATE,
  /** Local date of a timestamp in a time zone. The zone's id is the last argument, a literal. */
  LOCAL_DATE,
  /** The timestamp of the start of a DATE32 in a time zone, a literal; overflow is an error. */
  START_OF_DAY,
  /** The local time of a time zone, a literal, at a timestamp; overflow is always an error. */
  TO_LOCAL,
  /** The timestamp of a local time of a time zone, a literal; overflow is always an error. */
  FROM_LOCAL,
  /** Hour, 0 to 23, of a timestamp in a time zone, a literal. */
  HOUR,
  /** Minute, 0 to 59, of a timestamp in a time zone, a literal. */
  MINUTE,
  /** Second, 0 to 59, of a timestamp in a time zone, a literal. */
  SECOND,
  /** Second with six decimal digits of a timestamp in a time zone, a literal. */
  SECOND_WITH_FRACTION,
  /** A timestamp truncated to a {@link CalendarUnit} in a time zone, both literals. */
  TRUNC_TIMESTAMP,
  /** A timestamp plus INT32 months in a time zone, a literal; overflow is always an error. */
  ADD_MONTHS_TO_TIME,
  /** A timestamp plus a day-time interval in a time zone, a literal; overflow is an error. */
  ADD_DAY_TIME,
  /** Interval from the second timestamp to the first in a time zone, a literal. */
  SUBTRACT_TIMESTAMPS,
  /** Interval from the second DATE32 to the first; overflow is always an error. */
  SUBTRACT_DATES,
  /** A number of units added to a timestamp: number, timestamp, and unit and zone, literals. */
  TIMESTAMP_ADD,
  /** Whole units from the first timestamp to the second; unit and zone are literals. */
  TIMESTAMP_DIFF,
  /** Months from the second timestamp to the first; literals: whether to round, and the zone. */
  MONTHS_BETWEEN,
  /** Units since 1970, rounded down, of a timestamp; the unit, a literal, is at most SECOND. */
  UNIX_TIME,
  /** The timestamp so many units after 1970; the unit is a literal; overflow is an error. */
  FROM_UNIX_TIME,
  /** An interval times an integer; overflow is always an error. */
  SCALE_INTERVAL,
  /** A field of an interval, towards zero; the unit is a literal. */
  INTERVAL_FIELD,
  /** Whether a string begins with another; bytes are compared. */
  STARTS_WITH,
  /** Whether a string ends with another. */
  ENDS_WITH,
  /** Whether a string contains another. */
  CONTAINS,
  /**
   * Arguments: a string and a literal BINARY, the pattern compiled: the bytes of its text, {@link
   * LikePatterns#ANY_TEXT} and {@link LikePatterns#ANY_CHARACTER}.
   */
  LIKE,
  /** INT32 characters of a string, as UTF8String counts them; bytes of a BINARY. */
  CHARACTER_LENGTH,
  /** INT32 bytes. */
  OCTET_LENGTH,
  /** INT32 bits; wraps. */
  BIT_LENGTH,
  /**
   * Arguments: a string, another, and INT32 characters to skip. Number of the character at which
   * the other is found first, from 1; 0 when it is not; 1 for an empty one.
   */
  POSITION,
  /** INT32 code point at which a string begins; 0 of an empty one. */
  CODE_POINT,
  /** Arguments: a string, an INT32 position as in SQL, an INT32 number of characters. */
  SUBSTRING,
  /**
   * Arguments: a string, and a literal of ASCII characters to take away on both sides; an empty one
   * for spaces.
   */
  TRIM,
  /** As {@link #TRIM} on the left side. */
  TRIM_LEFT,
  /** As {@link #TRIM} on the right side. */
  TRIM_RIGHT
}
