package io.ariadne.columnar.buffer;

/**
 * Closes several objects even if some fail, and then throws the first failure. Used by one thread.
 */
public final class Closer {
  private Throwable first;

  /** Closes an object, which may be null; keeps its failure, errors included. */
  public void close(AutoCloseable closeable) {
    if (closeable == null) {
      return;
    }
    try {
      closeable.close();
    } catch (Throwable failure) {
      add(failure);
    }
  }

  /** Throws the first failure, if any, with the later ones suppressed in it. */
  public void rethrow() {
    if (first instanceof Error error) {
      throw error;
    }
    if (first instanceof RuntimeException failure) {
      throw failure;
    }
    if (first != null) {
      throw new IllegalStateException("close failed: " + first.getMessage(), first);
    }
  }

  /**
   * Throws as {@link #rethrow}, after closing a result that the caller does not get then.
   *
   * @param result stays open when nothing is thrown
   */
  public void rethrowWithout(AutoCloseable result) {
    try {
      rethrow();
    } catch (RuntimeException | Error e) {
      Closer rest = new Closer();
      rest.close(result);
      rest.suppressIn(e);
      throw e;
    }
  }

  /** Adds the failures, as suppressed ones, to an exception that the caller throws. */
  public void suppressIn(Throwable thrown) {
    if (first != null && first != thrown) {
      thrown.addSuppressed(first);
    }
  }

  private void add(Throwable failure) {
    if (first == null) {
      first = failure;
    } else if (failure != first) {
      first.addSuppressed(failure);
    }
  }
}
