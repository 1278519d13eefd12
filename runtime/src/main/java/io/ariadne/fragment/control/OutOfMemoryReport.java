package io.ariadne.fragment.control;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/** Says who asked for the memory that was not there: pools know only who has it. */
public final class OutOfMemoryReport {
  private OutOfMemoryReport() {}

  /**
   * Returns a failure as the task is to see it.
   *
   * @param problem what was thrown
   * @param asker what part of the task it was thrown by
   * @param environment the task
   * @return the same, or for OUT_OF_MEMORY one that names the asker, with the given one as its
   *     cause
   */
  static Throwable describe(Throwable problem, String asker, TaskEnvironment environment) {
    boolean isShortage =
        problem instanceof EngineException engine && engine.code() == ErrorCode.OUT_OF_MEMORY;
    if (!isShortage) {
      return problem;
    }
    String message = asker + " of " + environment.description() + ": " + problem.getMessage();
    return new EngineException(ErrorCode.OUT_OF_MEMORY, message, problem);
  }

  /** Returns how messages call an operator, a sink or what makes one. */
  public static String nameOf(Object operator, int nodeId) {
    String name = operator.getClass().getName();
    return name.substring(name.lastIndexOf('.') + 1) + " of node " + nodeId;
  }
}
