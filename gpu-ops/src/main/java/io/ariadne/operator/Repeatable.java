package io.ariadne.operator;

/**
 * Something whose calls the driver may repeat after they have failed with OUT_OF_MEMORY: other work
 * may have released memory by then.
 */
public interface Repeatable {
  /**
   * Returns whether the call that has just thrown OUT_OF_MEMORY had no effect, so that the same
   * call may be made again: or it had a part of its effect, and the next call does the rest. Covers
   * {@code getOutput}, {@code next} and {@code finish}; a batch that {@code addInput} could not
   * process is handed back by {@code takeUnprocessed} instead. Implementations whose calls take no
   * memory need not override this.
   *
   * @return false unless the implementation guarantees it: the failure then fails the fragment
   */
  default boolean mayRepeat() {
    return false;
  }
}
