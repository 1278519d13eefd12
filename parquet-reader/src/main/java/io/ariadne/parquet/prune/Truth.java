package io.ariadne.parquet.prune;

/** Sets of the truth values of three-valued logic, as bit masks. */
final class Truth {
  static final int NONE = 0;
  static final int TRUE = 1;
  static final int FALSE = 2;
  static final int NULL = 4;
  static final int ANY = TRUE | FALSE | NULL;

  private Truth() {}

  /** Returns the possible conjunctions of one value from each set. */
  static int and(int left, int right) {
    if (left == NONE || right == NONE) {
      return NONE;
    }
    int result = left & right & TRUE;
    result |= (left | right) & FALSE;
    boolean hasNull =
        ((left & NULL) != 0 && (right & (TRUE | NULL)) != 0)
            || ((right & NULL) != 0 && (left & (TRUE | NULL)) != 0);
    return hasNull ? result | NULL : result;
  }

  /** Returns the possible disjunctions of one value from each set. */
  static int or(int left, int right) {
    return not(and(not(left), not(right)));
  }

  /** Returns the negations of a set's values. */
  static int not(int set) {
    return (set & NULL) | ((set & TRUE) != 0 ? FALSE : 0) | ((set & FALSE) != 0 ? TRUE : 0);
  }

  static boolean has(int set, int value) {
    return (set & value) != 0;
  }
}
