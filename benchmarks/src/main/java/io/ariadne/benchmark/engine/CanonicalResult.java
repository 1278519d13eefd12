package io.ariadne.benchmark.engine;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/**
 * The rows of an answer as sorted lines of text, the same for every engine, so that equal answers
 * have equal hashes.
 *
 * <p>Decimals keep their scale, floating-point numbers print all their digits, nulls print as
 * {@code NULL}.
 *
 * @param lines one line per row, cells separated by {@code |}, sorted
 */
public record CanonicalResult(List<String> lines) {
  private static final int HASH_BYTES = 8;
  private static final int DOUBLE_DIGITS = 15;

  /** Prints the rows of an answer and sorts them. */
  public static CanonicalResult of(List<Object[]> rows) {
    List<String> lines = new ArrayList<>(rows.size());
    for (Object[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(i == 0 ? "" : "|").append(cell(row[i]));
      }
      lines.add(line.toString());
    }
    Collections.sort(lines);
    return new CanonicalResult(lines);
  }

  private static String cell(Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    }
    return value.toString();
  }

  /** Returns the first 64 bits of a SHA-256 of the lines, in hexadecimal digits. */
  public String hash() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String line : lines) {
        digest.update(line.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
      }
      return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Returns the first difference from another answer, or null when the answers agree.
   *
   * @param otherDialect whether the other engine may type numbers differently; numbers then agree
   *     when they differ by at most one unit of the last digit that both print
   */
  public String difference(CanonicalResult other, boolean otherDialect) {
    if (lines.size() != other.lines.size()) {
      return lines.size() + " rows against " + other.lines.size();
    }
    for (int i = 0; i < lines.size(); i++) {
      String[] mine = lines.get(i).split("\\|", -1);
      String[] theirs = other.lines.get(i).split("\\|", -1);
      if (mine.length != theirs.length || !equalCells(mine, theirs, otherDialect)) {
        return "sorted row " + i + ": " + lines.get(i) + " against " + other.lines.get(i);
      }
    }
    return null;
  }

  private static boolean equalCells(String[] mine, String[] theirs, boolean otherDialect) {
    for (int i = 0; i < mine.length; i++) {
      if (!mine[i].equals(theirs[i]) && !(otherDialect && closeNumbers(mine[i], theirs[i]))) {
        return false;
      }
    }
    return true;
  }

  private static boolean closeNumbers(String mine, String theirs) {
    try {
      BigDecimal a = new BigDecimal(mine);
      BigDecimal b = new BigDecimal(theirs);
      // One answer may carry the 15 digits of a double, the other the scale of a decimal.
      int digitsOfDouble = DOUBLE_DIGITS - (a.precision() - a.scale());
      int scale = Math.min(Math.min(a.scale(), b.scale()), Math.max(0, digitsOfDouble));
      return a.subtract(b).abs().compareTo(BigDecimal.ONE.scaleByPowerOfTen(-scale)) <= 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
