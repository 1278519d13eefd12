package io.ariadne.operator.project;

import io.ariadne.expression.StringProducer.Operation;
import io.ariadne.kernel.testing.SparkStrings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;

/** Functions that make strings in plain Java, written after Spark's code. */
final class ProducedReference {
  private static final byte[] RAISES = "raises".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NOTHING = new byte[0];

  private ProducedReference() {}

  /** {@code concatWs}; null when the separator is. */
  static byte[] concatWithSeparator(List<Object> operands) {
    if (operands.get(0) == null) {
      return null;
    }
    List<byte[]> all = new ArrayList<>();
    for (Object text : operands.subList(1, operands.size())) {
      if (text != null) {
        all.add(all.isEmpty() ? NOTHING : (byte[]) operands.get(0));
        all.add((byte[]) text);
      }
    }
    return SparkStrings.concat(all);
  }

  /** {@code chr}, {@code hex} and {@code bin}. */
  static byte[] ofNumber(Operation operation, long number) {
    return utf8(
        switch (operation) {
          case CHARACTER -> number < 0 ? "" : String.valueOf((char) (number & 0xff));
          case DIGITS_16 ->
              HexFormat.of().withUpperCase().toHexDigits(number).replaceFirst("^0+(?=.)", "");
          default -> Long.toBinaryString(number);
        });
  }

  /** {@code split_part} and {@code substring_index}. */
  static byte[] part(Operation operation, byte[] text, byte[] delimiter, int number) {
    if (operation == Operation.SUBSTRING_INDEX) {
      return substringIndex(text, delimiter, number);
    }
    if (number == 0) {
      return RAISES;
    }
    if (delimiter.length == 0) {
      return Math.abs(number) == 1 ? text : NOTHING;
    }
    String[] parts =
        SparkStrings.string(text).split(Pattern.quote(SparkStrings.string(delimiter)), -1);
    int index = number > 0 ? number - 1 : parts.length + number;
    return index < 0 || index >= parts.length ? NOTHING : utf8(parts[index]);
  }

  private static byte[] substringIndex(byte[] text, byte[] delimiter, int number) {
    if (number == 0 || delimiter.length == 0) {
      return NOTHING;
    }
    int last = text.length - delimiter.length;
    int missing = Math.abs(number);
    for (int i = 0; i <= last; i++) {
      int place = number > 0 ? i : last - i;
      int end = place + delimiter.length;
      if (Arrays.equals(text, place, end, delimiter, 0, delimiter.length) && --missing == 0) {
        return number > 0 ? Arrays.copyOf(text, place) : Arrays.copyOfRange(text, end, text.length);
      }
    }
    return text;
  }

  /** {@code translate}. */
  static byte[] translate(byte[] text, byte[] from, byte[] to) {
    int[] matching = SparkStrings.string(from).codePoints().toArray();
    int[] replacement = SparkStrings.string(to).codePoints().toArray();
    Map<Integer, Integer> others = new HashMap<>();
    for (int i = 0; i < matching.length; i++) {
      others.putIfAbsent(matching[i], i < replacement.length ? replacement[i] : 0);
    }
    StringBuilder result = new StringBuilder();
    SparkStrings.string(text)
        .codePoints()
        .forEach(
            point -> {
              int other = others.getOrDefault(point, -1);
              if (other != 0) {
                result.appendCodePoint(other < 0 ? point : other);
              }
            });
    return utf8(result.toString());
  }

  /** {@code base64}, in lines of so many characters unless that is 0. */
  static byte[] base64(byte[] text, int line) {
    return Base64.getMimeEncoder(line, line == 0 ? NOTHING : utf8("\r\n")).encode(text);
  }

  /** The other functions of one text. */
  static byte[] recoded(Operation operation, byte[] text) {
    return switch (operation) {
      case INITCAP -> initcap(text);
      case UNBASE64 -> unbase64(text);
      case UNHEX -> unhex(text);
      case WELL_FORMED -> text;
      default -> throw new IllegalArgumentException(operation.name());
    };
  }

  private static byte[] initcap(byte[] text) {
    byte[] result = SparkStrings.flipCase(text, 'A');
    for (int i = 0; i < text.length; i++) {
      boolean isFirst = i == 0 || text[i - 1] == ' ';
      if (isFirst && result[i] >= 'a' && result[i] <= 'z') {
        result[i] ^= 0x20;
      }
    }
    return result;
  }

  private static byte[] unbase64(byte[] text) {
    try {
      return Base64.getMimeDecoder().decode(SparkStrings.string(text));
    } catch (IllegalArgumentException e) {
      return RAISES;
    }
  }

  private static byte[] unhex(byte[] text) {
    String digits = new String(text, StandardCharsets.ISO_8859_1);
    return digits.matches("[0-9a-fA-F]*")
        ? HexFormat.of().parseHex(digits.length() % 2 == 0 ? digits : "0" + digits)
        : null;
  }

  /** Returns a text in base 64, sometimes with characters that decoders skip. */
  static byte[] nearlyBase64(Random random, byte[] text) {
    String code = Base64.getMimeEncoder().encodeToString(text);
    if (random.nextInt(4) == 0 && !code.isEmpty() && !code.contains("=")) {
      int place = random.nextInt(code.length());
      code = code.substring(0, place) + "é!" + code.substring(place);
    }
    return utf8(random.nextInt(4) == 0 ? code.replace("=", "") : code);
  }

  /** Returns the hexadecimal digits of a text, seldom with other characters among them. */
  static byte[] nearlyHex(Random random, byte[] text) {
    String digits = HexFormat.of().formatHex(text);
    if (random.nextInt(3) == 0) {
      digits = "a" + digits;
    }
    return utf8(random.nextInt(8) == 0 ? digits + "g" : digits);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
