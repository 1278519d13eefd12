package io.ariadne.backend;

/**
 * The status block of launches: errors, demand and results, as the kernels' {@code kernel_status}.
 *
 * <p>Several launches may share one block; {@link #await()} once after the last of them. Used by
 * one thread, except {@link #cancel()}.
 */
public interface KernelStatus extends AutoCloseable {
  /** Returns the address kernels are given. */
  long address();

  /** Sets everything to zero; no launch that uses the block may be running. */
  void clear();

  /** Waits for the launches that use the block and makes their results readable. */
  void await();

  /** Returns the error word: 0, or the complement of the smallest key: see {@link KernelError}. */
  long errorWord();

  /** Returns units that did not fit, or 0. */
  long needed();

  /** Returns rows written. */
  long rowsOut();

  /** Returns a detail word, 0 to 3; the kernel gives it its meaning. */
  long detail(int index);

  /** Asks running launches to return early; their outputs are then undefined. Any thread. */
  void cancel();

  @Override
  void close();
}
