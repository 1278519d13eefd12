package io.ariadne.parquet.metadata;

/** How often a field occurs in its parent, in the order of the format's numbers. */
public enum Repetition {
  /** Once. */
  REQUIRED,
  /** At most once. */
  OPTIONAL,
  /** Any number of times. */
  REPEATED;

  private static final Repetition[] VALUES = values();

  static Repetition of(int number) {
    return number >= 0 && number < VALUES.length ? VALUES[number] : null;
  }
}
