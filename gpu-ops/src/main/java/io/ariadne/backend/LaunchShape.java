package io.ariadne.backend;

/**
 * The size of a launch. A GPU derives its grid from it; the host ignores it.
 *
 * @param rowCount rows (or items) that the kernel processes, at least 0
 * @param blockSize threads per block, or {@link #KERNEL_DEFAULT}
 * @param dynamicSharedBytes dynamic shared memory per block, or {@link #KERNEL_DEFAULT}
 */
public record LaunchShape(long rowCount, int blockSize, int dynamicSharedBytes) {
  /** Use the kernel's own value. */
  public static final int KERNEL_DEFAULT = -1;

  /** Checks the bounds. */
  public LaunchShape {
    if (rowCount < 0 || blockSize < KERNEL_DEFAULT || dynamicSharedBytes < KERNEL_DEFAULT) {
      throw new IllegalArgumentException(
          "rowCount="
              + rowCount
              + " blockSize="
              + blockSize
              + " dynamicSharedBytes="
              + dynamicSharedBytes);
    }
  }

  /** Returns the shape of a launch over rows with the kernel's own block and shared memory. */
  public static LaunchShape ofRows(long rowCount) {
    return new LaunchShape(rowCount, KERNEL_DEFAULT, KERNEL_DEFAULT);
  }
}
