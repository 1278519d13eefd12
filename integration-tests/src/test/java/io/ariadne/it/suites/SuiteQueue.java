package io.ariadne.it.suites;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Suites that wait for a process. If time is limited, returns a suite only if its recorded seconds
 * fit; always returns the first suite. Thread-safe.
 */
final class SuiteQueue {
  private static final double NANOS = 1e9;

  /**
   * A suite to run.
   *
   * @param tests which of its tests; empty for all
   */
  record Request(String suite, SuiteSettings settings, List<String> tests) {}

  private final Queue<Request> waiting;
  private final List<Request> left = new java.util.ArrayList<>();
  private final Timings timings;
  private final long deadline;
  private boolean isFirst = true;

  /**
   * Creates it, and starts the clock.
   *
   * @param minutes after which all must have ended; 0 for no limit
   */
  SuiteQueue(List<Request> requests, Timings timings, double minutes) {
    waiting = new ArrayDeque<>(requests);
    this.timings = timings;
    double seconds = TimeUnit.MINUTES.toSeconds(1) * minutes;
    deadline =
        System.nanoTime() + (minutes == 0 ? TimeUnit.DAYS.toNanos(1) : (long) (seconds * NANOS));
  }

  /** Returns {@link System#nanoTime} at which the time is up. */
  long deadline() {
    return deadline;
  }

  /** Returns how long a suite took when it was recorded. */
  double recordedSeconds(Request request) {
    return timings.of(request.suite());
  }

  /** Returns the next suite, empty when there is none for which there is time. */
  synchronized Optional<Request> next() {
    for (Request each = waiting.poll(); each != null; each = waiting.poll()) {
      double seconds = (deadline - System.nanoTime()) / NANOS;
      if (isFirst || timings.of(each.suite()) < seconds) {
        isFirst = false;
        return Optional.of(each);
      }
      left.add(each);
    }
    return Optional.empty();
  }

  /** Returns the suites for which there was no time. */
  synchronized List<String> left() {
    return left.stream().map(Request::suite).toList();
  }
}
