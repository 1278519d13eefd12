package io.ariadne.kernelcompiler;

/** Blanks the comments and string contents of a C++ source and keeps its line numbers. */
final class SourceText {

  private SourceText() {}

  /** Returns the source with every comment replaced by spaces. */
  static String withoutComments(String source) {
    StringBuilder text = new StringBuilder(source);
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      char next = i + 1 < text.length() ? text.charAt(i + 1) : 0;
      if (c == '"' || c == '\'') {
        i = endOfLiteral(text, i);
      } else if (c == '/' && next == '/') {
        i = blank(text, i, indexOrEnd(text, "\n", i));
      } else if (c == '/' && next == '*') {
        i = blank(text, i, Math.min(text.length(), indexOrEnd(text, "*/", i + 2) + 2));
      } else {
        i++;
      }
    }
    return text.toString();
  }

  /** Returns the 1-based line of a position. */
  static int lineOf(String source, int position) {
    return 1 + (int) source.substring(0, position).chars().filter(c -> c == '\n').count();
  }

  private static int endOfLiteral(StringBuilder text, int start) {
    char quote = text.charAt(start);
    if (quote == '\'' && start > 0 && Character.isLetterOrDigit(text.charAt(start - 1))) {
      return start + 1; // a digit separator
    }
    int i = start + 1;
    while (i < text.length() && text.charAt(i) != quote && text.charAt(i) != '\n') {
      i += text.charAt(i) == '\\' ? 2 : 1;
    }
    return Math.min(text.length(), i + 1);
  }

  private static int blank(StringBuilder text, int start, int end) {
    for (int i = start; i < end; i++) {
      if (text.charAt(i) != '\n') {
        text.setCharAt(i, ' ');
      }
    }
    return end;
  }

  private static int indexOrEnd(StringBuilder text, String wanted, int from) {
    int index = text.indexOf(wanted, from);
    return index < 0 ? text.length() : index;
  }
}
