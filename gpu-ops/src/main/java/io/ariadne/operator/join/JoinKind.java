package io.ariadne.operator.join;

/** Which rows a join yields, seen from its probe side. */
public enum JoinKind {
  /** Pairs. */
  INNER,
  /** Pairs, and probe rows without a pair, padded with nulls. */
  OUTER,
  /** Pairs, and rows of either side without a pair, padded with nulls. */
  FULL,
  /** Probe rows that have a pair, once. */
  SEMI,
  /** Probe rows that have no pair. */
  ANTI,
  /**
   * Probe rows whose only key is certainly not among the build side's keys (SQL's NOT IN): no rows
   * when a build key is null, all rows when the build side is empty, else rows without a pair whose
   * own key is not null.
   */
  NULL_AWARE_ANTI,
  /** All probe rows, with a column that says whether they have a pair. */
  EXISTENCE,
  /** Pairs, and build rows without a pair, padded with nulls. */
  BUILD_OUTER,
  /** Build rows that have a pair, once. */
  BUILD_SEMI,
  /** Build rows that have no pair. */
  BUILD_ANTI,
  /** All build rows, with a column that says whether they have a pair. */
  BUILD_EXISTENCE;

  /** Returns whether the output has pairs. */
  public boolean yieldsPairs() {
    return this == INNER || this == OUTER || this == FULL || this == BUILD_OUTER;
  }

  /**
   * Returns whether the output depends on which build rows have a pair, so that one execution must
   * see all probe rows.
   */
  public boolean marksBuildRows() {
    return this == FULL || this == BUILD_OUTER || yieldsOnlyBuildRows();
  }

  /** Returns whether the output has no columns of the probe side. */
  public boolean yieldsOnlyBuildRows() {
    return this == BUILD_SEMI || this == BUILD_ANTI || this == BUILD_EXISTENCE;
  }

  /** Returns whether the output has a column that says whether rows have a pair. */
  public boolean yieldsExistence() {
    return this == EXISTENCE || this == BUILD_EXISTENCE;
  }

  /** Returns whether the output has probe rows without a pair, padded with nulls. */
  public boolean keepsProbeRows() {
    return this == OUTER || this == FULL;
  }

  /** Returns whether the output has build rows without a pair, padded with nulls. */
  public boolean keepsBuildRows() {
    return this == FULL || this == BUILD_OUTER;
  }

  /** Returns whether the output has only rows without a pair. */
  boolean yieldsRowsWithoutPair() {
    return this == ANTI || this == NULL_AWARE_ANTI;
  }

  /** Returns whether build rows are in the output when there are no probe rows. */
  boolean yieldsUnmarkedRows() {
    return marksBuildRows() && this != BUILD_SEMI;
  }

  /** Returns whether there is no output when the build side has no rows. */
  boolean needsBuildRows() {
    return this == INNER || this == SEMI || (marksBuildRows() && this != FULL);
  }
}
