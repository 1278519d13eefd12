package io.ariadne.benchmark.report;

import java.io.PrintStream;
import java.time.Duration;

/**
 * Shows the progress of a long job on standard error: one line that is redrawn on a terminal, else
 * a line per tenth. Thread-safe.
 */
public final class ProgressBar implements AutoCloseable {
  private static final int WIDTH = 30;
  private static final int TENTHS = 10;

  private final String label;
  private final int total;
  private final PrintStream out;
  private final boolean terminal;
  private final long startNanos = System.nanoTime();
  private int done;
  private int lastTenth = -1;

  /**
   * Draws a bar on standard error.
   *
   * @param label what is in progress
   * @param total number of steps
   */
  public ProgressBar(String label, int total) {
    this(label, total, System.err, System.console() != null);
  }

  ProgressBar(String label, int total, PrintStream out, boolean terminal) {
    this.label = label;
    this.total = Math.max(1, total);
    this.out = out;
    this.terminal = terminal;
    draw("");
  }

  /** Counts a step. */
  public synchronized void step() {
    step("");
  }

  /** Counts a step and shows a note beside the bar. */
  public synchronized void step(String note) {
    done = Math.min(total, done + 1);
    draw(note);
  }

  private void draw(String note) {
    String time = elapsed();
    if (terminal) {
      int filled = WIDTH * done / total;
      out.printf(
          "\r%s [%s%s] %d/%d %s %s\033[K",
          label, "#".repeat(filled), ".".repeat(WIDTH - filled), done, total, time, note);
      out.flush();
      return;
    }
    int tenth = TENTHS * done / total;
    if (tenth != lastTenth) {
      lastTenth = tenth;
      out.printf("%s %d/%d %s %s%n", label, done, total, time, note);
    }
  }

  private String elapsed() {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - startNanos);
    return "%d:%02d".formatted(elapsed.toMinutes(), elapsed.toSecondsPart());
  }

  @Override
  public synchronized void close() {
    if (terminal) {
      out.println();
    }
  }
}
