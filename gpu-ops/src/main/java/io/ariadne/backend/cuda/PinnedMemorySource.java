package io.ariadne.backend.cuda;

import static jcuda.driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY;
import static jcuda.driver.JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP;
import static jcuda.driver.JCudaDriver.CU_MEMHOSTALLOC_PORTABLE;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemorySource;
import java.util.concurrent.atomic.AtomicLong;
import jcuda.driver.JCudaDriver;

/**
 * Page-locked host memory: copies to and from it run at the full speed of the bus, and kernels can
 * reach it under the address the host uses. Giving memory back waits for all work of the device,
 * which the driver does not promise to do by itself.
 *
 * <p>When the device is lost, what is allocated stays usable host memory until the context ends,
 * except what it was copying to; there is no more of it then, and what is given back is not given
 * out again.
 */
final class PinnedMemorySource implements MemorySource {
  private final CudaContext context;
  private final AtomicLong allocatedBytes = new AtomicLong();

  PinnedMemorySource(CudaContext context) {
    this.context = context;
  }

  /** Returns bytes that nobody has given back. */
  long allocatedBytes() {
    return allocatedBytes.get();
  }

  @Override
  public MemoryTier tier() {
    return MemoryTier.PINNED;
  }

  @Override
  public long allocate(long lengthInBytes) {
    try {
      return context.loss().isLost() ? 0 : allocateNow(lengthInBytes);
    } catch (EngineException e) {
      if (e.code() == ErrorCode.DEVICE_LOST) {
        // Who copies bytes of the host through it can do with pageable memory.
        return 0;
      }
      throw e;
    }
  }

  private long allocateNow(long lengthInBytes) {
    context.makeCurrent();
    HostPointer pointer = new HostPointer();
    int flags = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP;
    int status = JCudaDriver.cuMemHostAlloc(pointer, lengthInBytes, flags);
    if (status == CUDA_ERROR_OUT_OF_MEMORY) {
      return 0;
    }
    context.check(status, "cuMemHostAlloc");
    allocatedBytes.addAndGet(lengthInBytes);
    return pointer.address();
  }

  @Override
  public void free(long address, long lengthInBytes) {
    context.settle();
    context.release(() -> JCudaDriver.cuMemFreeHost(HostPointer.of(address)), "cuMemFreeHost");
    allocatedBytes.addAndGet(-lengthInBytes);
  }

  @Override
  public void fillZero(long address, long lengthInBytes) {
    awaitUnlessLost();
    Memory.fill(address, lengthInBytes, (byte) 0);
  }

  private void awaitUnlessLost() {
    try {
      if (!context.loss().isLost()) {
        context.await();
      }
    } catch (EngineException e) {
      if (e.code() != ErrorCode.DEVICE_LOST) {
        throw e;
      }
      // It stays the host's memory, also when this wait is what finds the loss.
    }
  }
}
