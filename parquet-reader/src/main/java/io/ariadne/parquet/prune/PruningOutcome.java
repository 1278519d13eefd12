package io.ariadne.parquet.prune;

/** The known result of a predicate over a set of rows. */
public enum PruningOutcome {
  /** It is true for no row. */
  NONE,
  /** It may be true for some rows and not for others. */
  SOME,
  /** It is true for every row. */
  ALL;

  static PruningOutcome of(int truth) {
    if (!Truth.has(truth, Truth.TRUE)) {
      return NONE;
    }
    return truth == Truth.TRUE ? ALL : SOME;
  }
}
