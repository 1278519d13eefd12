package io.ariadne.backend.cuda;

import static jcuda.driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY;
import static jcuda.driver.JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP;
import static jcuda.driver.JCudaDriver.CU_MEMHOSTALLOC_PORTABLE;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemorySource;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import jcuda.driver.JCudaDriver;

/**
 * Page-locked host memory: copies run at the full speed of the bus, and kernels can access it under
 * the address that the host uses. Freeing waits for all work of the device, which the driver does
 * not guarantee by itself.
 *
 * <p>When the device is lost, allocated memory stays usable host memory until the context ends,
 * except memory that was the target of a copy. Nothing more can be allocated, and freed memory is
 * not allocated again.
 */
final class PinnedMemorySource implements MemorySource {
  private final CudaContext context;
  private final AtomicLong allocatedBytes = new AtomicLong();

  /** Lengths of what is allocated, by addresses. */
  private final ConcurrentSkipListMap<Long, Long> lengths = new ConcurrentSkipListMap<>();

  PinnedMemorySource(CudaContext context) {
    this.context = context;
  }

  /** Returns how many bytes are not freed. */
  long allocatedBytes() {
    return allocatedBytes.get();
  }

  /** Returns whether bytes of the host are page-locked memory of this source. */
  boolean contains(long address, long lengthInBytes) {
    Map.Entry<Long, Long> allocated = lengths.floorEntry(address);
    return allocated != null
        && address + lengthInBytes <= allocated.getKey() + allocated.getValue();
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
        // Callers that copy through pinned memory can use pageable memory instead.
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
    lengths.put(pointer.address(), lengthInBytes);
    return pointer.address();
  }

  @Override
  public void free(long address, long lengthInBytes) {
    lengths.remove(address);
    context.settle();
    context.release(() -> JCudaDriver.cuMemFreeHost(HostPointer.of(address)), "cuMemFreeHost");
    allocatedBytes.addAndGet(-lengthInBytes);
  }

  @Override
  public void fill(long address, long lengthInBytes, byte value) {
    awaitUnlessLost();
    Memory.fill(address, lengthInBytes, value);
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
