package io.ariadne.expression;

/**
 * Aggregate functions with kernels. The buffer columns are those of Spark's own aggregate, so Spark
 * may compute either side of an exchange.
 */
public enum AggregateFunction {
  /** Rows, or rows without a null argument. Buffer: count INT64. */
  COUNT,
  /**
   * Sum. Buffer: sum; for decimals also isEmpty BOOLEAN. Sums of doubles do not depend on the order
   * of rows.
   */
  SUM,
  /** Mean. Buffer: sum (of integers and doubles: FLOAT64), count INT64. */
  AVERAGE,
  /** Smallest value. Buffer: the value. */
  MIN,
  /** Largest value. Buffer: the value. */
  MAX,
  /** Value of the first row. Buffer: the value, valueSet BOOLEAN: whether there was a row. */
  FIRST,
  /** First value that is not null. Buffer: as of {@link #FIRST}. */
  FIRST_NON_NULL,
  /** Value of the last row. Buffer: as of {@link #FIRST}. */
  LAST,
  /** Last value that is not null. Buffer: as of {@link #FIRST}. */
  LAST_NON_NULL,
  /** Bits that all values have. Buffer: the value. */
  BIT_AND,
  /** Bits that any value has. Buffer: the value. */
  BIT_OR,
  /** Bits that an odd number of values has. Buffer: the value. */
  BIT_XOR,
  /** All values that are not null, in the order of their rows. Buffer: BINARY, as Spark's. */
  COLLECT_LIST
}
