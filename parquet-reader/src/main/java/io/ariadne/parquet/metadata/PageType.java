package io.ariadne.parquet.metadata;

/** What a page holds, in the order of the format's numbers. */
public enum PageType {
  /** Levels and values, compressed together. */
  DATA,
  /** Never written; to be skipped. */
  INDEX,
  /** The values that dictionary ids of the following pages stand for. */
  DICTIONARY,
  /** Uncompressed levels, then values. */
  DATA_V2,
  /** A number this reader does not know; to be skipped. */
  UNKNOWN;

  private static final PageType[] VALUES = values();

  static PageType of(int number) {
    return number >= 0 && number < VALUES.length ? VALUES[number] : UNKNOWN;
  }
}
