package io.ariadne.backend.cuda;

import static jcuda.driver.CUresult.CUDA_ERROR_OUT_OF_MEMORY;

import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.memory.MemorySource;
import java.util.concurrent.atomic.AtomicLong;
import jcuda.driver.JCudaDriver;

/**
 * GPU memory, each time from the driver: for regions that an arena divides, or for buffers where
 * the memory is too little for an arena. Freeing waits for all work of the device, which the driver
 * guarantees for memory of cuMemAlloc, so no queued work can still use it. Memory of a lost device
 * is freed without the driver, which frees it with the context.
 */
final class DeviceMemorySource implements MemorySource {
  private final CudaContext context;
  private final AtomicLong allocatedBytes = new AtomicLong();

  DeviceMemorySource(CudaContext context) {
    this.context = context;
  }

  /** Returns how many bytes are not freed. */
  long allocatedBytes() {
    return allocatedBytes.get();
  }

  @Override
  public MemoryTier tier() {
    return MemoryTier.DEVICE;
  }

  @Override
  public long allocate(long lengthInBytes) {
    context.makeCurrent();
    DevicePointer pointer = new DevicePointer();
    int status = JCudaDriver.cuMemAlloc(pointer, lengthInBytes);
    if (status == CUDA_ERROR_OUT_OF_MEMORY) {
      return 0;
    }
    context.check(status, "cuMemAlloc");
    allocatedBytes.addAndGet(lengthInBytes);
    return pointer.address();
  }

  @Override
  public void free(long address, long lengthInBytes) {
    context.release(() -> JCudaDriver.cuMemFree(DevicePointer.of(address)), "cuMemFree");
    allocatedBytes.addAndGet(-lengthInBytes);
  }

  @Override
  public void fill(long address, long lengthInBytes, byte value) {
    context.enqueue(
        stream ->
            JCudaDriver.cuMemsetD8Async(DevicePointer.of(address), value, lengthInBytes, stream),
        "cuMemsetD8Async");
  }

  @Override
  public void checkUsable() {
    context.loss().check();
  }
}
