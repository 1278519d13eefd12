package io.ariadne.backend.emulated;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.HostKernelStatus;
import io.ariadne.backend.KernelFunction;
import io.ariadne.backend.KernelStatus;
import io.ariadne.backend.LaunchShape;
import io.ariadne.backend.cpu.KernelTable;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.kernel.abi.EmulatorLaunchOptionsLayout;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Runs the GPU form of every kernel on the calling thread under the emulator. A launch in which the
 * emulator finds a race, an access out of bounds or a deadlock throws {@link AssertionError} with
 * its words and the seed.
 *
 * <p>Kernels may touch only memory that the emulator knows: buffers of {@link #allocator}, status
 * blocks of {@link #newStatus}, and the argument block.
 */
public final class EmulatedBackend implements Backend {

  private static final String LIBRARY = "/io/ariadne/native/emulated/libariadne_emulated.so";
  private static final int YIELDS_PER_MILLION = 20_000;
  private static final int MAX_GRID = 7;

  private static KernelTable kernels;
  private static volatile LaunchObserver observer = (kernel, grid, block, shared, arguments) -> {};

  private final long seed;
  private final int blockSize;
  private long launches;
  private EmulatorReport lastReport;
  private BiConsumer<ArgumentBlock, EmulatorReport> listener = (arguments, report) -> {};

  private EmulatedBackend(long seed, int blockSize) {
    this.seed = seed;
    this.blockSize = blockSize;
  }

  /**
   * Opens the back end.
   *
   * @param seed equal seeds give equal orders of threads; print it
   */
  public static EmulatedBackend open(long seed) {
    return open(seed, 0);
  }

  /**
   * Opens the back end with a block size of its own.
   *
   * @param seed equal seeds give equal orders of threads; print it
   * @param blockSize threads per block, a multiple of 32; 0 for each kernel's own
   */
  public static EmulatedBackend open(long seed, int blockSize) {
    load();
    return new EmulatedBackend(seed, blockSize);
  }

  private static synchronized void load() {
    if (kernels != null) {
      return;
    }
    try (InputStream library = EmulatedBackend.class.getResourceAsStream(LIBRARY)) {
      Path file = Files.createTempFile("libariadne_emulated-", ".so");
      Files.write(file, Objects.requireNonNull(library, LIBRARY).readAllBytes());
      System.load(file.toString());
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack " + LIBRARY, e);
    }
    kernels =
        KernelTable.read(NativeEmulator.kernelTableAddress(), NativeEmulator.kernelTableCount());
  }

  /** Returns an allocator whose buffers kernels of this back end may touch. */
  public static BufferAllocator allocator(BufferAllocator delegate) {
    load();
    return new RegionAllocator(delegate);
  }

  /**
   * Memory that kernels may touch.
   *
   * @param base its address
   * @param lengthInBytes its length
   */
  public record Region(long base, long lengthInBytes) {}

  /**
   * Returns the region that an address lies in; empty for an address that kernels must not access.
   */
  public static Optional<Region> region(long address) {
    return Regions.find(address);
  }

  /** Lets an observer see every launch of the process while something runs; one at a time. */
  public static void observe(LaunchObserver newObserver, Runnable something) {
    LaunchObserver before = observer;
    observer = newObserver;
    try {
      something.run();
    } finally {
      observer = before;
    }
  }

  /** Returns what the emulator measured of the last launch. */
  public EmulatorReport lastReport() {
    return lastReport;
  }

  /** Sets a listener of the arguments and report of every later launch without an error. */
  public void onLaunch(BiConsumer<ArgumentBlock, EmulatorReport> newListener) {
    listener = newListener;
  }

  @Override
  public String name() {
    return "emulated";
  }

  @Override
  public String isa() {
    return "emulated";
  }

  @Override
  public MemoryTier tier() {
    return MemoryTier.HOST;
  }

  @Override
  public boolean isBlockParallel() {
    return true;
  }

  @Override
  public Optional<String> lost() {
    return Optional.empty();
  }

  /** The processor is not lost. */
  @Override
  public void whenLost(Consumer<String> told) {}

  @Override
  public KernelFunction kernel(String name) {
    KernelTable.Entry entry =
        kernels
            .find(name)
            .orElseThrow(
                () -> new EngineException(ErrorCode.INTERNAL, "no kernel is named " + name));
    return new KernelFunction(
        name,
        entry.address(),
        blockSize == 0 ? entry.blockSize() : blockSize,
        entry.itemsPerThread(),
        entry.dynamicSharedInBytes(),
        entry.argumentsSizeInBytes());
  }

  @Override
  public void launch(KernelFunction kernel, LaunchShape shape, ArgumentBlock arguments) {
    int block =
        shape.blockSize() == LaunchShape.KERNEL_DEFAULT ? kernel.blockSize() : shape.blockSize();
    long tileRows = (long) block * kernel.itemsPerThread();
    long tiles = Math.max(1, (shape.rowCount() + tileRows - 1) / tileRows);
    int shared = shared(kernel, shape.dynamicSharedBytes());
    observer.beforeLaunch(kernel, Math.toIntExact(tiles), block, shared, arguments);
    run(kernel, (int) Math.min(tiles, MAX_GRID), block, shared, arguments);
  }

  private static int shared(KernelFunction kernel, int dynamicSharedBytes) {
    return dynamicSharedBytes == LaunchShape.KERNEL_DEFAULT
        ? kernel.dynamicSharedBytes()
        : dynamicSharedBytes;
  }

  /**
   * Runs a kernel under a given grid.
   *
   * @param gridSize blocks
   * @param block threads per block, a multiple of 32
   * @param dynamicSharedBytes per block, or {@link LaunchShape#KERNEL_DEFAULT}
   */
  public void launch(
      KernelFunction kernel,
      int gridSize,
      int block,
      int dynamicSharedBytes,
      ArgumentBlock arguments) {
    int shared = shared(kernel, dynamicSharedBytes);
    observer.beforeLaunch(kernel, gridSize, block, shared, arguments);
    run(kernel, gridSize, block, shared, arguments);
  }

  private void run(
      KernelFunction kernel, int gridSize, int block, int shared, ArgumentBlock arguments) {
    long launchSeed = seed + launches++;
    try (ArgumentBlock options = new ArgumentBlock(EmulatorLaunchOptionsLayout.SIZE_IN_BYTES)) {
      options.putLong(EmulatorLaunchOptionsLayout.SEED_OFFSET, launchSeed);
      options.putInt(EmulatorLaunchOptionsLayout.GRID_OFFSET, gridSize);
      options.putInt(EmulatorLaunchOptionsLayout.BLOCK_OFFSET, block);
      options.putInt(EmulatorLaunchOptionsLayout.DYNAMIC_SHARED_OFFSET, shared);
      options.putInt(EmulatorLaunchOptionsLayout.YIELD_PPM_OFFSET, YIELDS_PER_MILLION);
      int failed;
      synchronized (NativeEmulator.class) { // the report is the process's last
        failed = NativeEmulator.launch(kernel.handle(), arguments.address(), options.address());
        lastReport = EmulatorReport.read(NativeEmulator.report());
      }
      if (failed != 0) {
        throw new AssertionError(
            kernel.name() + ", seed " + launchSeed + ": " + lastReport.error());
      }
      listener.accept(arguments, lastReport);
    }
  }

  @Override
  public KernelStatus newStatus() {
    return new RegionStatus(new HostKernelStatus());
  }

  @Override
  public void write(long source, MemoryBuffer target, long targetOffset, long lengthInBytes) {
    Objects.checkFromIndexSize(targetOffset, lengthInBytes, target.capacityInBytes());
    Memory.copy(source, target.address() + targetOffset, lengthInBytes);
  }

  @Override
  public void read(MemoryBuffer source, long sourceOffset, long target, long lengthInBytes) {
    Objects.checkFromIndexSize(sourceOffset, lengthInBytes, source.capacityInBytes());
    Memory.copy(source.address() + sourceOffset, target, lengthInBytes);
  }

  /** Does nothing: the library stays loaded. */
  @Override
  public void close() {}
}
