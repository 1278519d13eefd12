package io.ariadne.benchmark.workload;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The 22 TPC-H queries with the validation parameters of TPC-H 3.0, section 2.4. */
public final class TpchQueries {
  static final int COUNT = 22;

  /** Q11's fraction at scale factor 1; it scales with 1/SF (section 2.4.11.3). */
  private static final BigDecimal Q11_FRACTION = new BigDecimal("0.0001");

  private TpchQueries() {}

  /**
   * Parses a selection.
   *
   * @param selection {@code all}, or numbers from 1 to 22 separated by commas
   * @return the numbers in the given order
   */
  public static List<Integer> parse(String selection) {
    if (selection.equals("all")) {
      return IntStream.rangeClosed(1, COUNT).boxed().toList();
    }
    return Arrays.stream(selection.split(",")).map(TpchQueries::parseNumber).toList();
  }

  /** Parses a selection that may be empty. */
  public static List<Integer> parseOptional(String selection) {
    return selection.isEmpty() ? List.of() : parse(selection);
  }

  private static Integer parseNumber(String text) {
    try {
      int number = Integer.parseInt(text.trim());
      if (number >= 1 && number <= COUNT) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(invalid(text), e);
    }
    throw new IllegalArgumentException(invalid(text));
  }

  private static String invalid(String text) {
    return "'" + text + "' is not a TPC-H query; give 'all' or numbers from 1 to " + COUNT;
  }

  /**
   * Returns the text of a query.
   *
   * @param number 1 to 22
   * @param scale scale factor of the data, which query 11 depends on
   */
  public static String text(int number, double scale) {
    String name = "/tpch/q" + number + ".sql";
    try (InputStream in = TpchQueries.class.getResourceAsStream(name)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      BigDecimal fraction = Q11_FRACTION.divide(BigDecimal.valueOf(scale), MathContext.DECIMAL32);
      return text.replace("${fraction}", fraction.stripTrailingZeros().toPlainString());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }
}
