package io.ariadne.executor;

/**
 * State that another module keeps in an {@link ExecutorRuntime} and that ends with it, such as the
 * map outputs of exchanges. Thread-safe.
 */
public interface RuntimeService extends AutoCloseable {
  /**
   * Frees what no task uses and refuses new work. The runtime calls this once when it closes: after
   * it has cancelled its open fragments, and before it waits for their tasks.
   */
  void stop();

  /**
   * Frees the rest. The runtime calls this once when it closes: after all fragments are closed, and
   * before it closes its pools. Not called when fragments stay in use.
   */
  @Override
  void close();
}
