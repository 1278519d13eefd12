package io.ariadne.kernel.testing;

import io.ariadne.backend.emulated.EmulatorReport;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The recorded work of kernels on a GPU, in {@code work-budgets.tsv} beside this class: for each
 * name the largest sector ratio (bytes moved over bytes needed) and the largest imbalance (accesses
 * of the busiest thread over the mean).
 *
 * <p>No line may allow an imbalance above {@value #MAX_IMBALANCE}, nor, for a streaming kernel, a
 * ratio above {@value #MAX_STREAMING_RATIO}.
 */
public final class WorkBudgets {
  /** A kernel beyond this leaves most of its threads idle. */
  public static final double MAX_IMBALANCE = 4.0;

  /** A kernel that reads and writes each byte once moves little more than that. */
  public static final double MAX_STREAMING_RATIO = 1.3;

  private static final String TABLE = "work-budgets.tsv";
  private static final String STREAMING = "streaming";
  private static final int COLUMNS = 4;

  /**
   * One line.
   *
   * @param isStreaming whether each byte of input and output is to be moved once
   * @param sectorRatio the largest allowed
   * @param imbalance the largest allowed
   */
  private record Budget(boolean isStreaming, double sectorRatio, double imbalance) {}

  private WorkBudgets() {}

  /**
   * Fails when the launch took more than the named line allows.
   *
   * @param name first column of the table
   * @param report of a launch over at least 70000 rows; a small one has no meaningful balance
   */
  public static void check(String name, EmulatorReport report) {
    check(name, report, report.sectorRatio());
  }

  /**
   * The same for a kernel that needs parts of records or loads some bytes again: the ratio is that
   * of the bytes moved to the bytes of its inputs and outputs.
   *
   * @param name first column of the table
   * @param report of a launch over at least 70000 rows
   * @param bytes what the launch has to read and write, each byte counted once, records as a whole
   */
  public static void check(String name, EmulatorReport report, long bytes) {
    check(name, report, report.bytesMoved() / (double) bytes);
  }

  private static void check(String name, EmulatorReport report, double ratio) {
    Budget budget = read().get(name);
    if (budget == null) {
      throw new AssertionError("no line " + name + " in " + TABLE + "; measured " + report);
    }
    checkLine(name, budget);
    if (ratio > budget.sectorRatio() || report.imbalance() > budget.imbalance()) {
      throw new AssertionError(
          String.format(
              "%s moved %.2f times the bytes it needed (allowed %.2f), imbalance %.2f (allowed"
                  + " %.2f); worst at code offset 0x%x",
              name,
              ratio,
              budget.sectorRatio(),
              report.imbalance(),
              budget.imbalance(),
              report.worstSite()));
    }
  }

  private static void checkLine(String name, Budget budget) {
    if (budget.imbalance() > MAX_IMBALANCE
        || (budget.isStreaming() && budget.sectorRatio() > MAX_STREAMING_RATIO)) {
      throw new AssertionError("the line " + name + " of " + TABLE + " allows too much: " + budget);
    }
  }

  private static Map<String, Budget> read() {
    Map<String, Budget> budgets = new HashMap<>();
    try (InputStream table = WorkBudgets.class.getResourceAsStream(TABLE)) {
      byte[] bytes = Objects.requireNonNull(table, TABLE).readAllBytes();
      for (String line : new String(bytes, StandardCharsets.UTF_8).split("\n")) {
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        String[] fields = line.split("\t", -1);
        if (fields.length != COLUMNS) {
          throw new IllegalStateException("not " + COLUMNS + " fields: " + line);
        }
        Budget budget =
            new Budget(
                fields[1].equals(STREAMING),
                Double.parseDouble(fields[2]),
                Double.parseDouble(fields[3]));
        budgets.put(fields[0], budget);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + TABLE, e);
    }
    return budgets;
  }
}
