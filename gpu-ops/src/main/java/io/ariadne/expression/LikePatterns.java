package io.ariadne.expression;

/** Compiled LIKE patterns: UTF-8 text with two bytes that do not occur in UTF-8. */
public final class LikePatterns {
  /** Any number of any characters: the {@code %} of LIKE. */
  public static final byte ANY_TEXT = (byte) 0xfe;

  /** One code point of a {@code java.lang.String}: the {@code _} of LIKE. */
  public static final byte ANY_CHARACTER = (byte) 0xff;

  private LikePatterns() {}
}
