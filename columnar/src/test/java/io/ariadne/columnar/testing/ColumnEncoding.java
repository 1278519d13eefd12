package io.ariadne.columnar.testing;

import java.util.Random;

/** How test columns are encoded: a dimension of suites of operators and readers. */
public enum ColumnEncoding {
  /** Values lie in the column. */
  PLAIN,
  /** Every column without children has codes into a dictionary. */
  DICTIONARY,
  /** Each column of each batch is one or the other. */
  MIXED;

  /** Returns whether the next column gets a dictionary. */
  boolean choose(Random random) {
    return this == DICTIONARY || (this == MIXED && random.nextBoolean());
  }
}
