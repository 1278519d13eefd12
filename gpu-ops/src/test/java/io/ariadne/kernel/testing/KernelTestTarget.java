package io.ariadne.kernel.testing;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.LaunchShape;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.operator.OperatorContext;
import java.util.Random;
import java.util.function.Function;

/** A target of the kernels, as a suite uses it. */
public interface KernelTestTarget {
  /**
   * Opens the target's back end.
   *
   * @param seed for the order of threads, where the target has one
   */
  Backend open(long seed);

  /**
   * Returns a launch over rows in a shape drawn at random: the kernel's own block or a smaller one.
   * For kernels that take blocks of 32 threads and more.
   *
   * @param random the suite's source of randomness
   * @param rows rows of the launch
   */
  static LaunchShape anyShape(Random random, long rows) {
    int[] blocks = {LaunchShape.KERNEL_DEFAULT, 32, 64, 96, 128};
    int block = blocks[random.nextInt(blocks.length)];
    return new LaunchShape(rows, block, LaunchShape.KERNEL_DEFAULT);
  }

  /** Returns an allocator whose buffers the target's kernels may touch. */
  BufferAllocator allocator(BufferAllocator delegate);

  /**
   * Returns the surroundings of operators, with memory that only kernels see where there is some.
   */
  default OperatorContext context(Backend backend, BufferAllocator delegate) {
    return new OperatorContext(allocator(delegate), backend, () -> false);
  }

  /**
   * Holds the last launch to the work budget recorded under a name; a target that does not measure
   * work ignores it.
   *
   * @param backend from {@link #open}
   * @param name of the line in {@code work-budgets.tsv}
   */
  default void checkWork(Backend backend, String name) {}

  /**
   * The same, the bytes moved compared with those of the inputs and outputs.
   *
   * @param backend from {@link #open}
   * @param name of the line in {@code work-budgets.tsv}
   * @param bytes of inputs and outputs, each counted once
   */
  default void checkWork(Backend backend, String name, long bytes) {}

  /**
   * Holds every further launch to the work budget recorded under the name that is given for its
   * arguments; for kernels that others launch. A target that does not measure work ignores it.
   *
   * @param backend from {@link #open}
   * @param nameOf the line in {@code work-budgets.tsv}; null for launches that are not held
   */
  default void checkEachLaunch(Backend backend, Function<ArgumentBlock, String> nameOf) {}
}
