package io.ariadne.backend.cuda;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.BatchSize;
import io.ariadne.backend.CopyEvents;
import io.ariadne.backend.DeviceSharing;
import io.ariadne.backend.HostRange;
import io.ariadne.backend.HostRead;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemorySource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import jcuda.Pointer;
import jcuda.driver.JCudaDriver;

/**
 * Runs kernels on one GPU. Launches, clears and copies on the device return at once and run in the
 * order of the calls, whichever threads make them; so do copies of pageable memory to the device,
 * from which the host may take other memory at once. {@link #read} and {@link KernelStatus#await()}
 * wait for the work that was queued before them, and so does {@link #write} of page-locked memory.
 *
 * <p>Every driver error is an {@link EngineException}: OUT_OF_MEMORY if and only if the driver says
 * so, DEVICE_LOST when the context does not survive the error (for example an illegal address in a
 * kernel), otherwise INTERNAL. Once the device is lost, no call except {@link #close} reaches the
 * driver.
 */
public final class CudaBackend implements Backend {
  /**
   * System property: number of the GPU to use among those that the process sees. It overrides the
   * assignment of a resource manager; for tests.
   */
  public static final String DEVICE_PROPERTY = "ariadne.cuda.device";

  private final CudaContext context;
  private final GpuSelection.Choice choice;
  private final DeviceMemorySource deviceMemory;
  private final PinnedMemorySource pinnedMemory;
  private final StagingRing toDevice;
  private final StagingRing toHost;
  private final StatusBlocks statusBlocks;
  private final CudaKernels kernels;

  private CudaBackend(CudaContext context, GpuSelection.Choice choice) {
    this.context = context;
    this.choice = choice;
    this.deviceMemory = new DeviceMemorySource(context);
    this.pinnedMemory = new PinnedMemorySource(context);
    this.toDevice = new StagingRing(context, pinnedMemory);
    this.toHost = new StagingRing(context, pinnedMemory);
    this.statusBlocks =
        new StatusBlocks(
            context, deviceMemory, pinnedMemory, StatusBlocks.BLOCKS, StatusBlocks.MAX_WAIT);
    this.kernels = new CudaKernels(context);
  }

  /** Returns whether {@value #DEVICE_PROPERTY} is set. */
  static boolean isDeviceConfigured() {
    return System.getProperty(DEVICE_PROPERTY) != null;
  }

  /**
   * Returns the number of the GPU that {@value #DEVICE_PROPERTY} names, else 0.
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
   * Returns why there is no back end for a GPU, in one line, or empty when there is one. Loads
   * JCuda and initialises the driver if that has not happened; allocates nothing on the GPU.
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
    return open(new GpuSelection.Choice(search.device(), "by its number", 1, false));
  }

  /**
   * Opens the back end of the GPU that the process has to use. This is the GPU of {@value
   * #DEVICE_PROPERTY} if the property is set, else the GPU at the first address of the request,
   * else the visible GPU with the most free memory. When the process sees a single GPU, that one is
   * at every ordinal, because containers renumber devices.
   *
   * @throws EngineException CONFIGURATION with a message of one line when the GPU is not available,
   *     or the driver has no GPU at the address; as described above when the driver fails
   */
  public static CudaBackend open(GpuRequest request) {
    return open(GpuSelection.choose(request));
  }

  private static CudaBackend open(GpuSelection.Choice choice) {
    CudaContext context = new CudaContext(choice.device());
    try {
      return new CudaBackend(context, choice);
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

  /** Returns the GPU, its memory, driver and compute capability, and why it was chosen. */
  public String description() {
    return context.device().description() + ", " + choice.why();
  }

  @Override
  public Optional<String> lost() {
    return context.loss().cause();
  }

  @Override
  public void lose(String reason) {
    context.loss().lose(deviceName() + " is lost: " + reason);
  }

  @Override
  public void whenLost(Consumer<String> told) {
    context.loss().whenLost(told);
  }

  @Override
  public String work() {
    return context.work().toString();
  }

  @Override
  public MemoryTier tier() {
    return MemoryTier.DEVICE;
  }

  @Override
  public BatchSize batchSize() {
    return BatchSize.DEVICE;
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
    context.check(JCudaDriver.cuMemGetInfo(free, total), "cuMemGetInfo");
    return free[0];
  }

  @Override
  public DeviceSharing sharing() {
    return new DeviceSharing(
        context.device().memoryInBytes(), choice.usableDevices(), choice.isGiven());
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
    context.work().launched(function.name(), shape.rowCount());
  }

  @Override
  public KernelStatus newStatus() {
    return statusBlocks.take();
  }

  @Override
  public void awaitAll(List<KernelStatus> statuses) {
    if (statuses.isEmpty()) {
      return;
    }
    statuses.forEach(each -> ((CudaKernelStatus) each).queueCopy());
    context.await();
    statuses.forEach(each -> ((CudaKernelStatus) each).awaited());
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
    if (pinnedMemory.contains(source, lengthInBytes)) {
      context.copy(StagingRing.copyToDevice(source, address, lengthInBytes), "cuMemcpyHtoDAsync");
    } else {
      toDevice.toDevice(List.of(new HostRange(source, lengthInBytes)), address);
    }
    CopyEvents.toDevice(start, lengthInBytes);
  }

  @Override
  public void writeAll(List<HostRange> sources, MemoryBuffer target) {
    long bytes = sources.stream().mapToLong(HostRange::lengthInBytes).sum();
    if (target.tier() == MemoryTier.PINNED) {
      Backend.super.writeAll(sources, target);
    } else if (bytes > 0) {
      long start = System.nanoTime();
      toDevice.toDevice(sources, checked(target, 0, bytes));
      CopyEvents.toDevice(start, bytes);
    }
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
    if (pinnedMemory.contains(target, lengthInBytes)) {
      context.copy(StagingRing.copyToHost(address, target, lengthInBytes), "cuMemcpyDtoHAsync");
    } else {
      toHost.toHost(List.of(new StagingRing.Range(address, target, lengthInBytes)));
    }
    CopyEvents.fromDevice(start, lengthInBytes);
  }

  @Override
  public void readAll(List<HostRead> reads) {
    List<StagingRing.Range> ranges = new ArrayList<>();
    long bytes = 0;
    for (HostRead each : reads) {
      long target = each.target();
      long length = each.lengthInBytes();
      boolean isStaged =
          each.source().tier() == MemoryTier.DEVICE && !pinnedMemory.contains(target, length);
      if (!isStaged) {
        read(each.source(), 0, target, length);
      } else if (length > 0) {
        ranges.add(new StagingRing.Range(each.source().address(), target, length));
        bytes += length;
      }
    }
    if (!ranges.isEmpty()) {
      long start = System.nanoTime();
      toHost.toHost(ranges);
      CopyEvents.fromDevice(start, bytes);
    }
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

  @Override
  public void prepareThread() {
    context.await();
  }

  /** Returns the address of bytes in kernel memory. */
  private static long checked(MemoryBuffer buffer, long offset, long lengthInBytes) {
    if (buffer.tier() != MemoryTier.DEVICE && buffer.tier() != MemoryTier.PINNED) {
      throw new IllegalArgumentException("a GPU does not see " + buffer.tier() + " memory");
    }
    Objects.checkFromIndexSize(offset, lengthInBytes, buffer.capacityInBytes());
    return buffer.address() + offset;
  }

  /**
   * Frees everything. When the device is lost, the driver frees all of it with the context.
   *
   * @throws EngineException INTERNAL when memory or status blocks are still open, which other users
   *     of the GPU then cannot use until the process ends, or when the driver fails
   */
  @Override
  public void close() {
    int openBlocks = statusBlocks.openBlocks();
    Closer closer = new Closer();
    closer.close(statusBlocks::free);
    closer.close(toDevice::free);
    closer.close(toHost::free);
    closer.close(kernels::unload);
    long openBytes = deviceMemory.allocatedBytes() + pinnedMemory.allocatedBytes();
    closer.close(context);
    closer.close(() -> checkNothingOpen(openBlocks, openBytes));
    closer.rethrow();
  }

  private void checkNothingOpen(int openBlocks, long openBytes) {
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
