package io.ariadne.columnar.buffer;

/**
 * Closes things one after the other although some fail, and then throws the first failure. Used by
 * one thread.
 */
public final class Closer {
  private Throwable first;

  /** Closes a thing that may be null; its failure is kept, errors included. */
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

  /** Throws the first failure, the others suppressed in it, if there was one. */
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

  /** Adds what failed to a failure that is thrown already. */
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
