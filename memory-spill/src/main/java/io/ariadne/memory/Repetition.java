package io.ariadne.memory;

import io.ariadne.error.EngineException;
import java.util.function.Supplier;

/**
 * An action with several requests to one source, which is repeated as a whole when the source
 * refuses one of them. Used by one thread.
 */
final class Repetition<T> implements Supplier<T> {
  private final PoolSource source;
  private final Supplier<T> action;
  private boolean isRefused;
  private EngineException refusal;

  /**
   * Creates a repetition that has not begun.
   *
   * @param action leaves nothing when it fails, and does not return null
   */
  Repetition(PoolSource source, Supplier<T> action) {
    this.source = source;
    this.action = action;
  }

  boolean isOf(PoolSource other) {
    return source == other;
  }

  /** Notes that the source has refused a request of the present attempt. */
  void refused() {
    isRefused = true;
  }

  /** Returns why the last attempt has failed; null when it has not. */
  EngineException refusal() {
    return refusal;
  }

  /**
   * Runs the action once.
   *
   * @return null when the source has refused a request
   * @throws EngineException of an action that has failed for another reason
   */
  @Override
  public T get() {
    isRefused = false;
    refusal = null;
    Repetition<?> before = ThreadUse.current().repetition(this);
    try {
      return action.get();
    } catch (EngineException e) {
      if (!isRefused || !EngineException.isOutOfMemory(e)) {
        throw e;
      }
      refusal = e;
      return null;
    } finally {
      var unused = ThreadUse.current().repetition(before);
    }
  }
}
