package io.ariadne.fragment.control;

import io.ariadne.operator.ErrorReplay;

/**
 * The surroundings a task's code expects on whatever thread it runs: for Spark its TaskContext,
 * class loader and input-file holder.
 *
 * <p>Thread-safe. {@link #enter()} and {@link #exit()} are called in pairs, which may nest, around
 * every piece of the task's work on runtime threads and on threads of other tasks, not around what
 * the task's own thread does for it, which has its surroundings already.
 */
public interface TaskEnvironment {
  /** Surroundings of a task that needs none and is never cancelled from outside. */
  TaskEnvironment NONE =
      new TaskEnvironment() {
        @Override
        public void enter() {}

        @Override
        public void exit() {}

        @Override
        public boolean isCancelled() {
          return false;
        }

        @Override
        public String description() {
          return "no task";
        }
      };

  /** Puts the task's surroundings on the calling thread. */
  void enter();

  /** Takes them off again; called also when the work failed, not when {@link #enter()} did. */
  void exit();

  /** Returns whether the task was killed; polled several times a second. */
  boolean isCancelled();

  /**
   * Returns the query the task works for: tasks of one query are equal in this; queries share the
   * compute threads evenly.
   */
  default Object query() {
    return this;
  }

  /** Returns which of its query's partitions the task works on; low ones are done first. */
  default int partition() {
    return 0;
  }

  /**
   * Returns whether the task's code may ask which part of the input rows are of, such as a file:
   * then a batch has rows of one part, which its sequence number says, up to the first breaker.
   */
  default boolean asksForPlaces() {
    return false;
  }

  /** Returns how an expression's error becomes the exception that the user sees. */
  default ErrorReplay errorReplay() {
    return ErrorReplay.PLAIN;
  }

  /** Returns who the task is, for diagnosis, for example {@code stage 3 task 17}. */
  String description();
}
