package io.ariadne.backend.cuda;

import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.LaunchShape;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUfunction;
import jcuda.driver.JCudaDriver;

/**
 * A loaded kernel that divides its launches into blocks. Thread-safe.
 *
 * <p>The grid is persistent: as many blocks as the device can run at the same time, or fewer for
 * small launches; each block loops over tiles.
 */
final class CudaKernel {
  private final KernelFunction function;
  private final CUfunction handle;
  private final CudaContext context;
  private final int maxDynamicSharedBytes;
  private final Map<Block, Integer> residentBlocks = new ConcurrentHashMap<>();

  /** What the number of blocks that fit depends on. */
  private record Block(int threads, int dynamicSharedBytes) {}

  /**
   * How a launch is cut.
   *
   * @param blocks the grid
   * @param threads per block
   * @param dynamicSharedBytes per block
   */
  record Cut(int blocks, int threads, int dynamicSharedBytes) {}

  CudaKernel(
      KernelFunction function, CUfunction handle, CudaContext context, int maxDynamicSharedBytes) {
    this.function = function;
    this.handle = handle;
    this.context = context;
    this.maxDynamicSharedBytes = maxDynamicSharedBytes;
  }

  KernelFunction function() {
    return function;
  }

  CUfunction handle() {
    return handle;
  }

  /**
   * Cuts a launch into blocks; the device's context is current.
   *
   * @throws EngineException INTERNAL when the device cannot hold even one such block
   */
  Cut cut(LaunchShape shape) {
    boolean isDefault = shape.blockSize() == LaunchShape.KERNEL_DEFAULT;
    int threads = isDefault ? function.blockSize() : shape.blockSize();
    int shared =
        shape.dynamicSharedBytes() == LaunchShape.KERNEL_DEFAULT
            ? function.dynamicSharedBytes()
            : shape.dynamicSharedBytes();
    if (shared > maxDynamicSharedBytes) {
      throw new EngineException(
          ErrorCode.INTERNAL,
          "kernel "
              + function.name()
              + " is launched with "
              + shared
              + " bytes of shared memory per block, at most "
              + maxDynamicSharedBytes
              + " are possible");
    }
    long tileRows = (long) threads * function.itemsPerThread();
    long tiles = Math.max(1, (shape.rowCount() + tileRows - 1) / tileRows);
    long resident = residentBlocks.computeIfAbsent(new Block(threads, shared), this::count);
    return new Cut((int) Math.min(tiles, resident), threads, shared);
  }

  private int count(Block block) {
    int[] perMultiprocessor = {0};
    context.check(
        JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
            perMultiprocessor, handle, block.threads(), block.dynamicSharedBytes()),
        "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    if (perMultiprocessor[0] < 1) {
      throw new EngineException(
          ErrorCode.INTERNAL, "kernel " + function.name() + " cannot run with " + block);
    }
    return perMultiprocessor[0] * context.device().multiprocessors();
  }
}
