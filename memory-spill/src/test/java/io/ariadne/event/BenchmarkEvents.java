package io.ariadne.event;

/** Measures what recording costs: nanoseconds per event, clock included, and per wait. */
public final class BenchmarkEvents {
  private static final int COUNT = 20_000_000;
  private static final int ROUNDS = 5;

  private BenchmarkEvents() {}

  /**
   * Prints nanoseconds per event and per wait, the least of five rounds.
   *
   * @param arguments none
   */
  public static void main(String[] arguments) {
    double event = Double.MAX_VALUE;
    double wait = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      event = Math.min(event, events());
      wait = Math.min(wait, waits());
    }
    System.out.printf("%.1f ns per event, %.1f ns per wait%n", event, wait);
  }

  private static double events() {
    long start = System.nanoTime();
    for (int i = 0; i < COUNT; i++) {
      ThreadRecord.current().ended(EventKind.TASK, System.nanoTime(), i, null, null);
    }
    return (double) (System.nanoTime() - start) / COUNT;
  }

  private static double waits() {
    long start = System.nanoTime();
    for (int i = 0; i < COUNT; i++) {
      ThreadRecord.current().await(WaitKind.OUTPUT, "output", 0, null).close();
    }
    return (double) (System.nanoTime() - start) / COUNT;
  }
}
