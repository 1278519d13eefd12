package io.ariadne.task;

/** Closes things one after the other although some fail, and then throws the first failure. */
final class Closer {
  private RuntimeException first;

  /** Closes a thing that may be null; its failure is kept. */
  void close(AutoCloseable closeable) {
    if (closeable == null) {
      return;
    }
    try {
      closeable.close();
    } catch (RuntimeException e) {
      add(e);
    } catch (Exception e) {
      add(new IllegalStateException("close failed: " + e.getMessage(), e));
    }
  }

  /** Throws the first failure, the others suppressed in it, if there was one. */
  void rethrow() {
    if (first != null) {
      throw first;
    }
  }

  private void add(RuntimeException failure) {
    if (first == null) {
      first = failure;
    } else if (failure != first) {
      first.addSuppressed(failure);
    }
  }
}
