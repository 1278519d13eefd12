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
  EXISTENCE;

  /** Returns whether the output has columns of the build side. */
  public boolean yieldsPairs() {
    return this == INNER || this == OUTER || this == FULL;
  }

  /** Returns whether probe rows without a pair are put out with nulls. */
  boolean keepsProbeRows() {
    return this == OUTER || this == FULL;
  }

  /** Returns whether the output has only rows without a pair. */
  boolean yieldsRowsWithoutPair() {
    return this == ANTI || this == NULL_AWARE_ANTI;
  }

  /** Returns whether there is no output when the build side has no rows. */
  boolean needsBuildRows() {
    return this == INNER || this == SEMI;
  }
}
