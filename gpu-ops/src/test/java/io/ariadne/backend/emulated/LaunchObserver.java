package io.ariadne.backend.emulated;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.KernelFunction;

/** Sees the launches of emulated back ends. */
@FunctionalInterface
public interface LaunchObserver {
  /**
   * Looks at a launch, on the thread that makes it, before the kernel runs.
   *
   * @param kernel what is launched
   * @param gridSize the launch's blocks, or those of a grid with a tile each where the back end
   *     chooses
   * @param blockSize threads per block
   * @param sharedBytes dynamic shared memory per block
   * @param arguments the kernel's, with addresses of regions ({@link EmulatedBackend#region})
   */
  void beforeLaunch(
      KernelFunction kernel, int gridSize, int blockSize, int sharedBytes, ArgumentBlock arguments);
}
