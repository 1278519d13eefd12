package io.ariadne.it.suites;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lines of fields between tabs; a tab, a line feed, a carriage return and a backslash inside a
 * field are written {@code \t}, {@code \n}, {@code \r} and {@code \\}.
 */
final class Fields {
  private Fields() {}

  static String line(Object... fields) {
    return Stream.of(fields).map(f -> escape(f.toString())).collect(Collectors.joining("\t"));
  }

  static List<String> of(String line) {
    return Arrays.stream(line.split("\t", -1)).map(Fields::unescape).toList();
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  private static String unescape(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        c = unescape(text.charAt(i));
      }
      plain.append(c);
    }
    return plain.toString();
  }

  private static char unescape(char code) {
    return switch (code) {
      case 't' -> '\t';
      case 'n' -> '\n';
      case 'r' -> '\r';
      default -> code;
    };
  }
}
