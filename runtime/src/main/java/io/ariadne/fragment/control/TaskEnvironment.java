package io.ariadne.fragment.control;

import io.ariadne.operator.ErrorReplay;

/**
 * The environment that a task's code expects on the thread that runs it: for Spark its TaskContext,
 * class loader and input-file holder.
 *
 * <p>Thread-safe. {@link #enter()} and {@link #exit()} are called in pairs, which may nest, around
 * all work of the task on runtime threads and on threads of other tasks. They are not called on the
 * task's own thread, which already has the environment.
 */
public interface TaskEnvironment {
  /** The environment of a task that needs none and is never cancelled from outside. */
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

  /** Installs the task's environment on the calling thread. */
  void enter();

  /** Removes it again; also called if the work failed, but not if {@link #enter()} did. */
  void exit();

  /** Returns whether the task was killed; polled several times a second. */
  boolean isCancelled();

  /**
   * Returns the query that the task belongs to. Tasks of one query return equal objects; queries
   * share the compute threads evenly.
   */
  default Object query() {
    return this;
  }

  /** Returns the rank of the task among those of the query; work of lower ones runs first. */
  default long taskRank() {
    return 0;
  }

  /**
   * Returns whether the task's code may ask for the location of its current input row, such as the
   * file. If so, all rows of a batch come from one location up to the first breaker; the sequence
   * number of the batch identifies it.
   */
  default boolean readsInputLocation() {
    return false;
  }

  /** Returns how an expression's error becomes the exception that the user sees. */
  default ErrorReplay errorReplay() {
    return ErrorReplay.PLAIN;
  }

  /** Returns the name of the task, for diagnosis, for example {@code stage 3 task 17}. */
  String description();
}
