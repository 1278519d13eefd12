package io.ariadne.kernel.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/** Functions of strings in plain Java, written after Spark's {@code UTF8String}. */
public final class SparkStrings {
  private static final int MAX_UTF8_LEAD = 0xf4;
  private static final String[] PIECES = {
    "a",
    "b",
    "ab",
    " ",
    "  ",
    "é",
    "ß",
    "€",
    "𝄞",
    "\0",
    "x",
    "%",
    "_",
    "aab",
    "Ünï",
    "long enough."
  };

  private SparkStrings() {}

  /** Returns the bytes of the character that begins at a place, by its first byte. */
  public static int characterBytes(byte first) {
    int b = Byte.toUnsignedInt(first);
    if (b < 0xc2 || b > MAX_UTF8_LEAD) {
      return 1;
    }
    return b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
  }

  /** {@code numChars}. */
  public static int characters(byte[] text) {
    int count = 0;
    for (int i = 0; i < text.length; i += characterBytes(text[i])) {
      count++;
    }
    return count;
  }

  /** {@code matchAt}. */
  private static boolean matchesAt(byte[] text, int place, byte[] other) {
    return place >= 0
        && place + other.length <= text.length
        && Arrays.equals(text, place, place + other.length, other, 0, other.length);
  }

  /** {@code startsWith}. */
  public static boolean startsWith(byte[] text, byte[] other) {
    return matchesAt(text, 0, other);
  }

  /** {@code endsWith}. */
  public static boolean endsWith(byte[] text, byte[] other) {
    return matchesAt(text, text.length - other.length, other);
  }

  /** {@code contains}. */
  public static boolean contains(byte[] text, byte[] other) {
    for (int i = 0; i <= text.length - other.length; i++) {
      if (matchesAt(text, i, other)) {
        return true;
      }
    }
    return false;
  }

  /** {@code indexOf}. */
  public static int indexOf(byte[] text, byte[] other, int start) {
    if (other.length == 0) {
      return 0;
    }
    int i = 0;
    int character = 0;
    while (i < text.length && character < start) {
      i += characterBytes(text[i]);
      character++;
    }
    while (i < text.length) {
      if (i + other.length > text.length) {
        return -1;
      }
      if (matchesAt(text, i, other)) {
        return character;
      }
      i += characterBytes(text[i]);
      character++;
    }
    return -1;
  }

  /** {@code substringSQL}, with bytes that the last character lacks left out. */
  public static byte[] substring(byte[] text, int position, int length) {
    int start = position > 0 ? position - 1 : position < 0 ? characters(text) + position : 0;
    long sum = (long) start + length;
    int until = (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, sum));
    if (until <= start || start >= text.length) {
      return new byte[0];
    }
    int i = 0;
    int character = 0;
    while (i < text.length && character < start) {
      i += characterBytes(text[i]);
      character++;
    }
    int from = Math.min(i, text.length);
    while (i < text.length && character < until) {
      i += characterBytes(text[i]);
      character++;
    }
    return Arrays.copyOfRange(text, from, Math.min(i, text.length));
  }

  /** {@code trimLeft}, of spaces when there are no characters given. */
  public static byte[] trimLeft(byte[] text, byte[] set) {
    int from = 0;
    while (from < text.length && isIn(text[from], set)) {
      from++;
    }
    return Arrays.copyOfRange(text, from, text.length);
  }

  /** {@code trimRight}: of spaces byte by byte, of other characters by those that begin. */
  public static byte[] trimRight(byte[] text, byte[] set) {
    int to = 0;
    if (set.length == 0) {
      to = text.length;
      while (to > 0 && text[to - 1] == ' ') {
        to--;
      }
      return Arrays.copyOf(text, to);
    }
    for (int i = 0; i < text.length; ) {
      int next = i + characterBytes(text[i]);
      to = isIn(text[i], set) ? to : Math.min(next, text.length);
      i = next;
    }
    return Arrays.copyOf(text, to);
  }

  private static boolean isIn(byte value, byte[] set) {
    if (set.length == 0) {
      return value == ' ';
    }
    for (byte b : set) {
      if (b == value) {
        return true;
      }
    }
    return false;
  }

  /** Returns the first code point of a text, 0 of an empty one. */
  public static int codePoint(byte[] text) {
    return text.length == 0 ? 0 : string(text).codePointAt(0);
  }

  /** LIKE as Spark does it, by a regular expression; the pattern is compiled as for kernels. */
  public static boolean isLike(byte[] text, byte[] pattern, byte anyText, byte anyCharacter) {
    StringBuilder regex = new StringBuilder("(?s)");
    int begin = 0;
    for (int i = 0; i <= pattern.length; i++) {
      if (i == pattern.length || pattern[i] == anyText || pattern[i] == anyCharacter) {
        regex.append(Pattern.quote(string(Arrays.copyOfRange(pattern, begin, i))));
        regex.append(i == pattern.length ? "" : pattern[i] == anyText ? ".*" : ".");
        begin = i + 1;
      }
    }
    return Pattern.matches(regex.toString(), string(text));
  }

  /** {@code concat}. */
  public static byte[] concat(List<byte[]> texts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    texts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** Returns a text with the case of the letters from one on, 26 of them, changed. */
  public static byte[] flipCase(byte[] text, char first) {
    byte[] changed = text.clone();
    for (int i = 0; i < text.length; i++) {
      boolean isLetter = text[i] >= first && text[i] < first + 26;
      changed[i] = (byte) (isLetter ? text[i] ^ 0x20 : text[i]);
    }
    return changed;
  }

  /** {@code reverse}, with bytes that the last character lacks left out. */
  public static byte[] reverse(byte[] text) {
    List<byte[]> reversed = new ArrayList<>();
    for (int i = 0; i < text.length; ) {
      int next = Math.min(text.length, i + characterBytes(text[i]));
      reversed.add(0, Arrays.copyOfRange(text, i, next));
      i = next;
    }
    return concat(reversed);
  }

  /** {@code repeat}. */
  public static byte[] repeat(byte[] text, int times) {
    return concat(Collections.nCopies(Math.max(0, times), text));
  }

  /** {@code lpad} and {@code rpad}. */
  public static byte[] pad(byte[] text, int wanted, byte[] padding, boolean isLeft) {
    int spaces = wanted - characters(text);
    if (spaces <= 0 || padding.length == 0) {
      return substring(text, 1, wanted);
    }
    int each = characters(padding);
    byte[] whole = repeat(padding, spaces / each);
    byte[] rest = substring(padding, 1, spaces % each);
    return isLeft ? concat(List.of(whole, rest, text)) : concat(List.of(text, whole, rest));
  }

  /** {@code replace}. */
  public static byte[] replace(byte[] text, byte[] search, byte[] replacement) {
    if (search.length == 0) {
      return text;
    }
    ByteArrayOutputStream replaced = new ByteArrayOutputStream();
    for (int i = 0; i < text.length; ) {
      boolean isFound = matchesAt(text, i, search);
      replaced.writeBytes(isFound ? replacement : new byte[] {text[i]});
      i += isFound ? search.length : 1;
    }
    return replaced.toByteArray();
  }

  /** Returns a text with other characters in place of what is not ASCII. */
  public static byte[] ascii(byte[] text) {
    byte[] ascii = text.clone();
    for (int i = 0; i < text.length; i++) {
      ascii[i] &= 0x7f;
    }
    return ascii;
  }

  /** Returns the string that Java makes of UTF-8. */
  public static String string(byte[] text) {
    return new String(text, StandardCharsets.UTF_8);
  }

  /**
   * Returns a random text of few different characters, some of several bytes; one in eight is not
   * valid UTF-8.
   *
   * @param maxPieces most pieces, of up to 12 bytes, that it is put together from
   */
  public static byte[] random(Random random, int maxPieces) {
    StringBuilder text = new StringBuilder();
    int kinds = 2 + random.nextInt(PIECES.length - 1);
    for (int i = random.nextInt(maxPieces + 1); i > 0; i--) {
      text.append(PIECES[random.nextInt(kinds)]);
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0 && random.nextInt(8) == 0) {
      for (int i = random.nextInt(3); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) (0x80 + random.nextInt(0x80));
      }
      bytes = random.nextBoolean() ? bytes : Arrays.copyOf(bytes, bytes.length - 1);
    }
    return bytes;
  }
}
