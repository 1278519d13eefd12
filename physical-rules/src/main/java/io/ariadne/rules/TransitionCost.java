package io.ariadne.rules;

/**
 * The cost rule: whether a connected group of convertible nodes is worth its transitions between
 * rows and columns.
 *
 * <p>A unit is about what one simple operator saves per row. A conversion between rows and columns
 * costs {@value #ROW_TRANSITION} of them. A group pays for each input that arrives in rows, and for
 * its output when its parent wants rows. It is credited for each columnar input and each scan of
 * its own, which Spark itself would have had to turn into rows. The group is converted when it
 * gains more than it pays. A group that only passes columns on gains nothing and is left to Spark.
 *
 * @param gain what the group's nodes gain together
 * @param rowInputs inputs that arrive in rows
 * @param columnarInputs inputs that arrive in columns, and scans in the group
 * @param rowOutput whether the parent wants rows
 */
public record TransitionCost(int gain, int rowInputs, int columnarInputs, boolean rowOutput) {
  /** The name that disables the cost rule: then every supported node is converted. */
  public static final String NAME = "TransitionCost";

  /** Gain of an aggregation by kernels, or without Spark's sort: more than two row transitions. */
  public static final int AGGREGATE_GAIN = 5;

  /** Gain of a sort: more than two row transitions. */
  public static final int SORT_GAIN = 5;

  /** Gain of a join: more than two row transitions. */
  public static final int JOIN_GAIN = 5;

  /** Gain of a choice of first rows, for which rows need not become columns. */
  public static final int TOP_GAIN = 3;

  /** Gain of a filter or of a projection in which kernels compute something. */
  public static final int COMPUTE_GAIN = 1;

  /** Gain of reading files with our own reader, decoded on all threads. */
  public static final int SCAN_GAIN = 2;

  /** The cost of a conversion between rows and columns. */
  public static final int ROW_TRANSITION = 2;

  /** Returns how many more conversions there are than in Spark's own plan; may be negative. */
  public int addedTransitions() {
    return rowInputs + (rowOutput ? 1 : 0) - columnarInputs;
  }

  /** Returns whether the group is converted. */
  public boolean isWorthIt() {
    return gain > ROW_TRANSITION * Math.max(0, addedTransitions());
  }

  /** Returns the sum in words, for explanations. */
  public String describe() {
    return "gain "
        + gain
        + (isWorthIt() ? " exceeds " : " does not exceed ")
        + ROW_TRANSITION * Math.max(0, addedTransitions())
        + " for "
        + rowInputs
        + " inputs from rows, "
        + columnarInputs
        + " from columns, output to "
        + (rowOutput ? "rows" : "columns");
  }
}
