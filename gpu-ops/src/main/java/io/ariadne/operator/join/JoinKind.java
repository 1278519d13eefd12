package io.ariadne.operator.join;

/** Which rows a join puts out, seen from its probe side. */
public enum JoinKind {
  /** Pairs. */
  INNER,
  /** Pairs, and probe rows that have none, with nulls. */
  OUTER,
  /** Pairs, and rows of either side that have none, with nulls. */
  FULL,
  /** Probe rows that have a pair, once. */
  SEMI,
  /** Probe rows that have no pair. */
  ANTI,
  /**
   * Probe rows whose one key is certainly not among the build side's: none when that has a null;
   * all when that is empty; else those without a pair whose own key is not null.
   */
  NULL_AWARE_ANTI,
  /** All probe rows, with a column that says whether they have a pair. */
  EXISTENCE,
  /** Pairs, and build rows that have none, with nulls. */
  BUILD_OUTER,
  /** Build rows that have a pair, once. */
  BUILD_SEMI,
  /** Build rows that have no pair. */
  BUILD_ANTI,
  /** All build rows, with a column that says whether they have a pair. */
  BUILD_EXISTENCE;

  /** Returns whether pairs are put out. */
  public boolean yieldsPairs() {
    return this == INNER || this == OUTER || this == FULL || this == BUILD_OUTER;
  }

  /**
   * Returns whether it matters which build rows have a pair, so that all who probe them have to be
   * known.
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

  /** Returns whether probe rows without a pair are put out with nulls. */
  public boolean keepsProbeRows() {
    return this == OUTER || this == FULL;
  }

  /** Returns whether build rows without a pair are put out with nulls. */
  public boolean keepsBuildRows() {
    return this == FULL || this == BUILD_OUTER;
  }

  /** Returns whether the output has only rows without a pair. */
  boolean yieldsRowsWithoutPair() {
    return this == ANTI || this == NULL_AWARE_ANTI;
  }

  /** Returns whether build rows are put out for which there are no probe rows. */
  boolean yieldsUnmarkedRows() {
    return marksBuildRows() && this != BUILD_SEMI;
  }

  /** Returns whether there is no output when the build side has no rows. */
  boolean needsBuildRows() {
    return this == INNER || this == SEMI || (marksBuildRows() && this != FULL);
  }
}
