package io.ariadne.parquet.metadata;

/** The encoding of the values or levels of a page. */
public enum PageEncoding {
  /** Values one after another; booleans as bits. */
  PLAIN,
  /** Dictionary ids. In a dictionary page it means PLAIN. Deprecated name. */
  PLAIN_DICTIONARY,
  /** Runs of repeated values and bit-packed groups. */
  RLE,
  /** Bit-packed levels, most significant bit first; deprecated. */
  BIT_PACKED,
  /** Blocks of bit-packed differences. */
  DELTA_BINARY_PACKED,
  /** Lengths as differences, then the bytes of all values. */
  DELTA_LENGTH_BYTE_ARRAY,
  /** Lengths of prefixes shared with the previous value, and the remaining bytes. */
  DELTA_BYTE_ARRAY,
  /** Dictionary ids. */
  RLE_DICTIONARY,
  /** The first bytes of all values, then the second ones, and so on. */
  BYTE_STREAM_SPLIT,
  /** A number this reader does not know. */
  UNKNOWN;

  /** Returns the encoding with a number of the format, UNKNOWN when there is none. */
  static PageEncoding of(int number) {
    return switch (number) {
      case 0 -> PLAIN;
      case 2 -> PLAIN_DICTIONARY;
      case 3 -> RLE;
      case 4 -> BIT_PACKED;
      case 5 -> DELTA_BINARY_PACKED;
      case 6 -> DELTA_LENGTH_BYTE_ARRAY;
      case 7 -> DELTA_BYTE_ARRAY;
      case 8 -> RLE_DICTIONARY;
      case 9 -> BYTE_STREAM_SPLIT;
      default -> UNKNOWN;
    };
  }

  /** Returns whether values in this encoding are ids of dictionary entries. */
  public boolean isDictionary() {
    return this == PLAIN_DICTIONARY || this == RLE_DICTIONARY;
  }
}
