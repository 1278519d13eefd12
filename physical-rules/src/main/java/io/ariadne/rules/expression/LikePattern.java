package io.ariadne.rules.expression;

import io.ariadne.expression.LikePatterns;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Compiles LIKE patterns to the form that kernels read; see Spark's {@code
 * StringUtils.escapeLikeRegex}.
 */
final class LikePattern {
  private static final char REPLACEMENT = '\ufffd';

  private LikePattern() {}

  /**
   * Compiles a pattern.
   *
   * @param pattern Spark's
   * @param escape the character after which wild cards, and itself, are text
   * @return UTF-8 and the bytes of {@link LikePatterns}
   * @throws NoKernelException for patterns that Spark refuses, which are not valid UTF-8 (what is
   *     not either would be like them), or have supplementary characters (Spark 3.5 takes these for
   *     two)
   */
  static byte[] compile(UTF8String pattern, char escape) {
    String text = pattern.toString();
    boolean isExact = Arrays.equals(pattern.getBytes(), text.getBytes(StandardCharsets.UTF_8));
    if (!isExact || text.chars().anyMatch(LikePattern::isUnusual) || isUnusual(escape)) {
      throw new NoKernelException("its pattern has unusual characters");
    }
    ByteArrayOutputStream compiled = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == escape) {
        i++;
        boolean isKnown = i < text.length() && (isWildCard(text.charAt(i)) || text.charAt(i) == c);
        if (!isKnown) {
          throw new NoKernelException("its pattern has an escape character that Spark refuses");
        }
        compiled.writeBytes(String.valueOf(text.charAt(i)).getBytes(StandardCharsets.UTF_8));
      } else if (isWildCard(c)) {
        compiled.write(c == '%' ? LikePatterns.ANY_TEXT : LikePatterns.ANY_CHARACTER);
      } else {
        compiled.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      }
    }
    return compiled.toByteArray();
  }

  private static boolean isWildCard(char c) {
    return c == '%' || c == '_';
  }

  private static boolean isUnusual(int c) {
    return c == REPLACEMENT || Character.isSurrogate((char) c);
  }
}
