package io.ariadne.parquet.metadata;

/**
 * The program that wrote a file, from the footer's {@code created_by}: {@code application version
 * x.y.z (build hash)}. Parses like parquet-mr's {@code VersionParser}, in linear time.
 *
 * @param application name of the program
 * @param version its version, empty when the footer states none
 */
record WriterVersion(String application, String version) {
  /** Longest text that is parsed. */
  private static final int MAX_CHARS = 1024;

  private static final String VERSION = "version";
  private static final String BUILD = "build";

  /** Returns the writer that a footer names, null when the text has another form. */
  static WriterVersion of(String createdBy) {
    if (createdBy == null || createdBy.length() > MAX_CHARS) {
      return null;
    }
    for (int at = createdBy.indexOf(VERSION); at >= 0; at = createdBy.indexOf(VERSION, at + 1)) {
      int end = skipBlanksBack(createdBy, 0, at);
      String version = end < at ? version(createdBy, at + VERSION.length()) : null;
      if (version != null) {
        String application = createdBy.substring(0, end);
        return hasLineEnd(application) ? null : new WriterVersion(application, version);
      }
    }
    return null;
  }

  /** Returns the version at a position, null when anything but a build follows it. */
  private static String version(String text, int from) {
    int paren = text.indexOf('(', from);
    int to = paren < 0 ? text.length() : paren;
    if (paren >= 0) {
      int build = skipBlanks(text, paren + 1);
      boolean isBuild =
          text.startsWith(BUILD, build)
              && text.indexOf(')', build + BUILD.length()) == text.length() - 1;
      if (!isBuild) {
        return null;
      }
    }
    int start = Math.min(skipBlanks(text, from), to);
    return text.substring(start, skipBlanksBack(text, start, to));
  }

  private static int skipBlanks(String text, int from) {
    int at = from;
    while (at < text.length() && isBlank(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static int skipBlanksBack(String text, int start, int from) {
    int at = from;
    while (at > start && isBlank(text.charAt(at - 1))) {
      at--;
    }
    return at;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
  }

  private static boolean hasLineEnd(String text) {
    return text.chars()
        .anyMatch(c -> c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029);
  }
}
