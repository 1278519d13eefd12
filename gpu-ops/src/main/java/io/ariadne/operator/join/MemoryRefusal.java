package io.ariadne.operator.join;

import io.ariadne.error.EngineException;
import io.ariadne.memory.ThreadUse;

/** Repeats work that frees memory, with the pool's reserve. */
final class MemoryRefusal {
  private MemoryRefusal() {}

  /**
   * Runs work that makes memory revocable. When memory is refused, the work runs a second time and
   * may then use the reserve that pools keep for such work.
   *
   * @param work continues where a failed run has stopped
   * @throws EngineException OUT_OF_MEMORY when the reserve does not suffice either
   */
  static void retryWithReserve(Runnable work) {
    try {
      work.run();
    } catch (EngineException e) {
      if (!EngineException.isOutOfMemory(e)) {
        throw e;
      }
      withReserve(work);
    }
  }

  /** Runs work that makes memory revocable and that may use the pool's reserve. */
  static void withReserve(Runnable work) {
    ThreadUse thread = ThreadUse.current();
    boolean before = thread.putAway(true);
    try {
      work.run();
    } finally {
      thread.putAway(before);
    }
  }
}
