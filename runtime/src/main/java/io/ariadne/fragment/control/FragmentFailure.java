package io.ariadne.fragment.control;

import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stopped a fragment: its first failure, or a cancellation. Guarded by the fragment's lock.
 */
final class FragmentFailure {
  private static final Logger LOG = LoggerFactory.getLogger(FragmentFailure.class);
  private static final int MAX_SUPPRESSED = 8;

  private final TaskEnvironment environment;
  private Throwable first;
  private boolean thrown;

  FragmentFailure(TaskEnvironment environment) {
    this.environment = environment;
  }

  /**
   * Adds a failure. The first failure of a running fragment counts; later ones are suppressed in
   * it. Failures after a cancellation are its consequences and only logged.
   *
   * @param problem what was thrown
   * @param stopped whether the fragment was already stopped
   */
  void add(Throwable problem, boolean stopped) {
    if (!stopped) {
      first = problem;
    } else if (problem instanceof CancellationException || problem == first) {
      LOG.trace("{} has stopped", environment.description(), problem);
    } else if (first == null) {
      LOG.debug("failure after cancellation of {}", environment.description(), problem);
    } else if (first.getSuppressed().length < MAX_SUPPRESSED) {
      first.addSuppressed(problem);
    }
  }

  /** Returns what the task thread throws. Throws the failure itself the first time. */
  RuntimeException toThrow() {
    if (first == null) {
      return new CancellationException(environment.description() + " was cancelled");
    }
    if (thrown) {
      return new IllegalStateException("the fragment has failed before", first);
    }
    thrown = true;
    throw FragmentFailure.<RuntimeException>unchecked(first);
  }

  /** Throws any throwable unchanged: exceptions of Spark's code must keep their class. */
  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T unchecked(Throwable throwable) throws T {
    throw (T) throwable;
  }

  @Override
  public String toString() {
    return first == null ? "cancelled" : "failed: " + first;
  }
}
