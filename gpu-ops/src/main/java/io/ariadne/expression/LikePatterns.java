package io.ariadne.expression;

/** Compiled LIKE patterns: UTF-8 text, and two bytes that no UTF-8 has. */
public final class LikePatterns {
  /** Stands for any number of any characters: the {@code %} of LIKE. */
  public static final byte ANY_TEXT = (byte) 0xfe;

  /** Stands for one code point of a {@code java.lang.String}: the {@code _} of LIKE. */
  public static final byte ANY_CHARACTER = (byte) 0xff;

  private LikePatterns() {}
}
