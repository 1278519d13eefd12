package io.ariadne.parquet.metadata;

/** The type of a page, in the order of the format's numbers. */
public enum PageType {
  /** Levels and values, compressed together. */
  DATA,
  /** Reserved by the format and never written; skipped. */
  INDEX,
  /** The values that the dictionary ids of the following pages refer to. */
  DICTIONARY,
  /** Uncompressed levels, then values. */
  DATA_V2,
  /** A number this reader does not know; skipped. */
  UNKNOWN;

  private static final PageType[] VALUES = values();

  static PageType of(int number) {
    return number >= 0 && number < VALUES.length ? VALUES[number] : UNKNOWN;
  }
}
