package io.ariadne.kernel.testing;

import io.ariadne.backend.Backend;
import io.ariadne.columnar.buffer.BufferAllocator;

/** A target of the kernels, as a suite uses it. */
public interface KernelTarget {
  /**
   * Opens the target's back end.
   *
   * @param seed for the order of threads, where the target has one
   */
  Backend open(long seed);

  /** Returns an allocator whose buffers the target's kernels may touch. */
  BufferAllocator allocator(BufferAllocator delegate);

  /**
   * Holds the last launch to the work budget recorded under a name; a target that does not measure
   * work ignores it.
   *
   * @param backend from {@link #open}
   * @param name of the line in {@code work-budgets.tsv}
   */
  default void checkWork(Backend backend, String name) {}
}
