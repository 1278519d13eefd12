package io.ariadne.backend;

import io.ariadne.columnar.buffer.MemoryBuffer;

/**
 * The status block of launches: errors, demand for memory and results. Its layout is the kernels'
 * {@code kernel_status}.
 *
 * <p>Several launches may share one block; {@link #await()} once after the last one. Used by one
 * thread, except {@link #cancel()}.
 */
public interface KernelStatus extends AutoCloseable {
  /** The most bytes of a buffer that a wait copies beside the status. */
  int MAX_BYTES_READ = 64;

  /** Returns the address to pass to kernels. */
  long address();

  /** Sets everything to zero; no launch that uses the block may be running. */
  void clear();

  /** Waits for the launches that use the block and makes their results readable. */
  void await();

  /**
   * Waits as {@link #await()} does, and copies the first bytes of a buffer, too: one wait for both.
   *
   * @param source a buffer of the back end's tier
   * @param target receives as many bytes as it has, at most {@link #MAX_BYTES_READ}
   */
  void await(MemoryBuffer source, ArgumentBlock target);

  /** Checks the arguments of {@link #await(MemoryBuffer, ArgumentBlock)}. */
  static void checkBytesRead(MemoryBuffer source, ArgumentBlock target) {
    int bytes = target.sizeInBytes();
    if (bytes > MAX_BYTES_READ || bytes > source.capacityInBytes()) {
      throw new IllegalArgumentException(
          bytes + " bytes beside a status, of " + source.capacityInBytes());
    }
  }

  /** Returns the error word: 0, or the complement of the smallest key: see {@link KernelError}. */
  long errorWord();

  /** Returns how many units did not fit, or 0. */
  long needed();

  /** Returns how many rows were written. */
  long rowsOut();

  /** Returns a detail word, 0 to 3; the kernel defines its meaning. */
  long detail(int index);

  /** Requests that running launches return early; their outputs are then undefined. Thread-safe. */
  void cancel();

  @Override
  void close();
}
