package io.ariadne.backend.cuda;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.CopyEvents;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemorySource;
import java.util.Objects;
import java.util.Optional;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/**
 * Runs kernels on one GPU. Launches, clears and copies on the device return at once and run in the
 * order of the calls, whichever threads make them; {@link #read}, {@link #write} and {@link
 * KernelStatus#await()} wait for what was queued before them.
 *
 * <p>Every driver error is an {@link EngineException}: OUT_OF_MEMORY when and only when the driver
 * says so, else INTERNAL. After an error inside a kernel (an illegal address, say) the driver lets
 * nothing run in this process's context any more.
 */
public final class CudaBackend implements Backend {
  /** System property: number of the GPU to use among those that the process sees; 0 by default. */
  public static final String DEVICE_PROPERTY = "ariadne.cuda.device";

  private final CudaContext context;
  private final DeviceMemorySource deviceMemory;
  private final PinnedMemorySource pinnedMemory;
  private final StatusBlocks statusBlocks;
  private final CudaKernels kernels;

  private CudaBackend(CudaContext context) {
    this.context = context;
    this.deviceMemory = new DeviceMemorySource(context);
    this.pinnedMemory = new PinnedMemorySource(context);
    this.statusBlocks = new StatusBlocks(context, deviceMemory, pinnedMemory);
    this.kernels = new CudaKernels(context);
  }

  /**
   * Returns the number of the GPU that {@value #DEVICE_PROPERTY} names.
   *
   * @throws EngineException CONFIGURATION when it is not a number
   */
  public static int configuredDevice() {
    String value = System.getProperty(DEVICE_PROPERTY, "0");
    try {
      return Integer.parseUnsignedInt(value);
    } catch (NumberFormatException e) {
      throw new EngineException(
          ErrorCode.CONFIGURATION, DEVICE_PROPERTY + " is not the number of a GPU: " + value, e);
    }
  }

  /**
   * Returns why there is no back end for a GPU, in one line, or empty when there is. Loads JCuda
   * and initialises the driver when nobody has; takes nothing of the GPU.
   *
   * @param deviceOrdinal number of the GPU among those that the process sees
   */
  public static Optional<String> reasonAgainst(int deviceOrdinal) {
    return Optional.ofNullable(CudaDevice.find(deviceOrdinal).reason());
  }

  /**
   * Opens the back end of a GPU.
   *
   * @param deviceOrdinal number of the GPU among those that the process sees
   * @throws EngineException CONFIGURATION with a message of one line when it is not available; as
   *     described above when the driver fails
   */
  public static CudaBackend open(int deviceOrdinal) {
    CudaDevice.Search search = CudaDevice.find(deviceOrdinal);
    if (search.device() == null) {
      throw new EngineException(
          ErrorCode.CONFIGURATION, "CUDA is not available: " + search.reason());
    }
    CudaContext context = new CudaContext(search.device());
    try {
      return new CudaBackend(context);
    } catch (RuntimeException | Error e) {
      closeAfter(e, context);
      throw e;
    }
  }

  private static void closeAfter(Throwable failure, CudaContext context) {
    try {
      context.close();
    } catch (EngineException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public String name() {
    return "cuda";
  }

  @Override
  public String isa() {
    return context.device().architecture();
  }

  /** Returns number and name of the GPU. */
  public String deviceName() {
    return context.device().toString();
  }

  @Override
  public MemoryTier tier() {
    return MemoryTier.DEVICE;
  }

  @Override
  public Backend host() {
    return HostBackend.open();
  }

  @Override
  public boolean isBlockParallel() {
    return true;
  }

  @Override
  public Optional<MemorySource> memory(MemoryTier tier) {
    return switch (tier) {
      case DEVICE -> Optional.of(deviceMemory);
      case PINNED -> Optional.of(pinnedMemory);
      default -> Optional.empty();
    };
  }

  @Override
  public long freeMemoryInBytes() {
    context.makeCurrent();
    long[] free = {0};
    long[] total = {0};
    CudaCheck.check(JCudaDriver.cuMemGetInfo(free, total), "cuMemGetInfo");
    return free[0];
  }

  @Override
  public KernelFunction kernel(String name) {
    return kernels.kernel(name).function();
  }

  @Override
  public void launch(KernelFunction function, LaunchShape shape, ArgumentBlock arguments) {
    if (arguments.sizeInBytes() != function.argumentBytes()) {
      throw new IllegalArgumentException(
          "kernel "
              + function.name()
              + " takes "
              + function.argumentBytes()
              + " bytes of arguments, not "
              + arguments.sizeInBytes());
    }
    CudaKernel kernel = kernels.kernel(function.name());
    context.makeCurrent();
    CudaKernel.Cut cut = kernel.cut(shape);
    Pointer parameters = Pointer.to(HostPointer.of(arguments.address()));
    context.enqueue(
        stream ->
            JCudaDriver.cuLaunchKernel(
                kernel.handle(),
                cut.blocks(),
                1,
                1,
                cut.threads(),
                1,
                1,
                cut.dynamicSharedBytes(),
                stream,
                parameters,
                null),
        "cuLaunchKernel of " + function.name());
  }

  @Override
  public KernelStatus newStatus() {
    return statusBlocks.take();
  }

  @Override
  public void write(long source, MemoryBuffer target, long targetOffset, long lengthInBytes) {
    long address = checked(target, targetOffset, lengthInBytes);
    if (lengthInBytes == 0) {
      return;
    }
    if (target.tier() == MemoryTier.PINNED) {
      context.await();
      Memory.copy(source, address, lengthInBytes);
      return;
    }
    long start = System.nanoTime();
    context.copy(
        stream ->
            JCudaDriver.cuMemcpyHtoDAsync(
                DevicePointer.of(address), HostPointer.of(source), lengthInBytes, stream),
        "cuMemcpyHtoDAsync");
    CopyEvents.toDevice(start, lengthInBytes);
  }

  @Override
  public void read(MemoryBuffer source, long sourceOffset, long target, long lengthInBytes) {
    long address = checked(source, sourceOffset, lengthInBytes);
    if (lengthInBytes == 0) {
      return;
    }
    if (source.tier() == MemoryTier.PINNED) {
      context.await();
      Memory.copy(address, target, lengthInBytes);
      return;
    }
    long start = System.nanoTime();
    context.copy(
        stream ->
            JCudaDriver.cuMemcpyDtoHAsync(
                HostPointer.of(target), DevicePointer.of(address), lengthInBytes, stream),
        "cuMemcpyDtoHAsync");
    CopyEvents.fromDevice(start, lengthInBytes);
  }

  @Override
  public void clear(MemoryBuffer target, long targetOffset, long lengthInBytes) {
    long address = checked(target, targetOffset, lengthInBytes);
    if (lengthInBytes == 0) {
      return;
    }
    context.enqueue(
        stream ->
            JCudaDriver.cuMemsetD8Async(DevicePointer.of(address), (byte) 0, lengthInBytes, stream),
        "cuMemsetD8Async");
  }

  @Override
  public void copy(MemoryBuffer source, MemoryBuffer target, long lengthInBytes) {
    long from = checked(source, 0, lengthInBytes);
    long to = checked(target, 0, lengthInBytes);
    if (lengthInBytes == 0) {
      return;
    }
    context.enqueue(
        stream ->
            JCudaDriver.cuMemcpyDtoDAsync(
                DevicePointer.of(to), DevicePointer.of(from), lengthInBytes, stream),
        "cuMemcpyDtoDAsync");
  }

  /** Returns the address of bytes that kernels see. */
  private static long checked(MemoryBuffer buffer, long offset, long lengthInBytes) {
    if (buffer.tier() != MemoryTier.DEVICE && buffer.tier() != MemoryTier.PINNED) {
      throw new IllegalArgumentException("a GPU does not see " + buffer.tier() + " memory");
    }
    Objects.checkFromIndexSize(offset, lengthInBytes, buffer.capacityInBytes());
    return buffer.address() + offset;
  }

  /**
   * Gives everything back.
   *
   * @throws EngineException INTERNAL when memory or status blocks are still open, which are lost to
   *     the GPU's other users until the process ends, or when the driver fails
   */
  @Override
  public void close() {
    int openBlocks = statusBlocks.openBlocks();
    statusBlocks.free();
    kernels.unload();
    long openBytes = deviceMemory.allocatedBytes() + pinnedMemory.allocatedBytes();
    context.close();
    if (openBlocks > 0 || openBytes > 0) {
      throw new EngineException(
          ErrorCode.INTERNAL,
          openBytes
              + " bytes and "
              + openBlocks
              + " status blocks are open at the end of "
              + name());
    }
  }
}
