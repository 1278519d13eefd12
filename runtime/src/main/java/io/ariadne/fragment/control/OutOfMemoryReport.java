package io.ariadne.fragment.control;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * Names, in OUT_OF_MEMORY errors, the part of a fragment that asked for the memory: a pool only
 * knows who holds memory.
 */
public final class OutOfMemoryReport {
  private OutOfMemoryReport() {}

  /**
   * Returns a failure as the task sees it.
   *
   * @param problem what was thrown
   * @param requester the part of the fragment that threw it
   * @param environment the task
   * @return the same throwable; for OUT_OF_MEMORY one that names the requester, with the given one
   *     as its cause
   */
  static Throwable describe(Throwable problem, String requester, TaskEnvironment environment) {
    if (!EngineException.isOutOfMemory(problem)) {
      return problem;
    }
    String message = requester + " of " + environment.description() + ": " + problem.getMessage();
    return new EngineException(ErrorCode.OUT_OF_MEMORY, message, problem);
  }

  /** Returns the name of an operator, a sink or a factory in messages. */
  public static String nameOf(Object operator, int nodeId) {
    String name = operator.getClass().getName();
    return name.substring(name.lastIndexOf('.') + 1) + " of node " + nodeId;
  }
}
