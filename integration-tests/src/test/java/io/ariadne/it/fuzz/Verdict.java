package io.ariadne.it.fuzz;

import io.ariadne.it.sql.Outcome;

/**
 * The result of running a query with Ariadne off and on.
 *
 * @param status whether the answers are the same
 * @param detail why, in words
 * @param spark the answer of Spark; null for an invalid query
 * @param ariadne the answer with Ariadne; null for an invalid query
 */
record Verdict(Status status, String detail, Outcome spark, Outcome ariadne) {
  /** How two answers compare. */
  enum Status {
    /** Both are the same rows. */
    SAME_ROWS,
    /** Both are the same error. */
    SAME_ERROR,
    /** Both are errors, of other rows or expressions: which of several is met first is luck. */
    OTHER_ERROR,
    /** Spark's parser or analyzer refuses the query. */
    INVALID,
    /** Spark itself gives this answer, too, in another way ({@link KnownDifferences}). */
    OPEN,
    /** A difference of a fault that is being mended. */
    KNOWN,
    /** A difference. */
    DIFFERENT
  }

  boolean isSame() {
    return status == Status.SAME_ROWS || status == Status.SAME_ERROR;
  }

  boolean isDifferent() {
    return status == Status.DIFFERENT;
  }

  /** What differs, in one word or two: a smaller query must differ in the same. */
  String manner() {
    if (spark == null || !isDifferent()) {
      return status.name();
    }
    return spark.error() == null && ariadne.error() == null
        ? "rows"
        : firstWord(spark.error()) + " / " + firstWord(ariadne.error());
  }

  private static String firstWord(String error) {
    return error == null ? "rows" : error.split("[ :\n]", 2)[0];
  }
}
