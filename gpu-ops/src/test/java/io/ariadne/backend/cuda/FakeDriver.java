package io.ariadne.backend.cuda;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.columnar.buffer.Memory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Control of the fake CUDA driver (sources in {@code src/test/driver}). Loading it before JCuda
 * makes the dynamic loader give it to JCuda, because its name is {@code libcuda.so.1}.
 */
public final class FakeDriver {
  /** The device's name. */
  static final String DEVICE_NAME = "Fake GPU";

  private static final String LIBRARY = "/io/ariadne/native/driver/libcuda.so.1";

  private static boolean loaded;

  private FakeDriver() {}

  /** Opens a back end over a fake driver that is as good as new; {@code seed} is for its delays. */
  public static CudaBackend open(long seed) {
    reset(Options.DEFAULT, seed);
    return CudaBackend.open(0);
  }

  /**
   * What the driver and its devices are.
   *
   * @param memoryBytes device memory
   * @param deviceCount devices, all the same one
   * @param driverVersion 1000 * major + 10 * minor
   * @param capability 10 * major + minor
   */
  record Options(long memoryBytes, int deviceCount, int driverVersion, int capability) {
    static final Options DEFAULT = new Options(1L << 30, 1, 12_060, 90);

    Options withMemory(long bytes) {
      return new Options(bytes, deviceCount, driverVersion, capability);
    }

    Options withDeviceCount(int count) {
      return new Options(memoryBytes, count, driverVersion, capability);
    }

    Options withDriverVersion(int version) {
      return new Options(memoryBytes, deviceCount, version, capability);
    }

    Options withCapability(int tenfold) {
      return new Options(memoryBytes, deviceCount, driverVersion, tenfold);
    }
  }

  /**
   * Loads the driver, unless it is loaded, and makes it as good as new. No back end may be open.
   */
  static synchronized void reset(Options options, long seed) {
    if (!loaded) {
      load();
      loaded = true;
    }
    reset(
        options.memoryBytes(),
        options.deviceCount(),
        options.driverVersion(),
        options.capability(),
        seed);
  }

  private static void load() {
    try (InputStream library = FakeDriver.class.getResourceAsStream(LIBRARY)) {
      Path folder = Files.createTempDirectory("ariadne-fake-driver-");
      Path file = folder.resolve(LIBRARY.substring(LIBRARY.lastIndexOf('/') + 1));
      Files.write(file, Objects.requireNonNull(library, LIBRARY).readAllBytes());
      System.load(file.toString());
      Files.delete(file);
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack " + LIBRARY, e);
    }
  }

  /**
   * Loads the driver, which back ends that this process opens later use.
   *
   * @param memoryBytes device memory
   * @param seed for its delays
   */
  public static void start(long memoryBytes, long seed) {
    reset(Options.DEFAULT.withMemory(memoryBytes), seed);
  }

  /**
   * What a driver was asked for: the calls that cost the host time, and the bytes over the bus.
   *
   * @param allocations of device and of page-locked memory
   * @param frees of both; each of device memory waits for the device
   * @param launches of kernels
   * @param waits for a stream, for an event or for the device
   * @param pageableCopies between device and memory that the driver has to copy once more
   * @param pageableBytes of these
   * @param pinnedCopies between device and page-locked memory
   * @param pinnedBytes of these
   */
  public record Usage(
      long allocations,
      long frees,
      long launches,
      long waits,
      long pageableCopies,
      long pageableBytes,
      long pinnedCopies,
      long pinnedBytes) {
    /** Returns what was asked for since an earlier moment. */
    public Usage minus(Usage before) {
      return new Usage(
          allocations - before.allocations,
          frees - before.frees,
          launches - before.launches,
          waits - before.waits,
          pageableCopies - before.pageableCopies,
          pageableBytes - before.pageableBytes,
          pinnedCopies - before.pinnedCopies,
          pinnedBytes - before.pinnedBytes);
    }
  }

  /** Returns what the driver was asked for since the reset. */
  public static Usage usage() {
    return new Usage(
        calls("cuMemAlloc_v2") + calls("cuMemHostAlloc"),
        calls("cuMemFree_v2") + calls("cuMemFreeHost"),
        calls("cuLaunchKernel"),
        calls("cuStreamSynchronize") + calls("cuCtxSynchronize") + calls("cuEventSynchronize"),
        copies(false, false) + copies(true, false),
        copiedBytes(false, false) + copiedBytes(true, false),
        copies(false, true) + copies(true, true),
        copiedBytes(false, true) + copiedBytes(true, true));
  }

  /**
   * Makes a call fail without doing anything.
   *
   * @param entryPoint the C name of the driver's function
   * @param call which of its next calls, from 1
   * @param status what it returns
   */
  public static void fail(String entryPoint, long call, int status) {
    fail(number(entryPoint), call, status);
  }

  /**
   * Makes a call stand still, before it does anything, until {@link #resume}; other calls go on.
   *
   * @param entryPoint the C name of the driver's function
   * @param call which of its next calls, from 1
   */
  public static void stall(String entryPoint, long call) {
    stall(number(entryPoint), call);
  }

  /** Waits until a call stands still. */
  public static void awaitStalled() {
    while (!isStalled()) {
      Thread.onSpinWait();
    }
  }

  /** Returns how often an entry point was called since the reset. */
  public static long calls(String entryPoint) {
    return calls(number(entryPoint));
  }

  private static int number(String entryPoint) {
    byte[] name = entryPoint.getBytes(StandardCharsets.US_ASCII);
    try (ArgumentBlock text = new ArgumentBlock(name.length + 1)) {
      Memory.copy(name, 0, text.address(), name.length);
      int number = entryPoint(text.address());
      if (number < 0) {
        throw new IllegalArgumentException("the fake driver has no " + entryPoint);
      }
      return number;
    }
  }

  private static native void reset(
      long memoryBytes, int deviceCount, int driverVersion, int capability, long seed);

  private static native int entryPoint(long nameAddress);

  private static native long calls(int entryPoint);

  private static native long copies(boolean isToHost, boolean isPinned);

  private static native long copiedBytes(boolean isToHost, boolean isPinned);

  private static native void fail(int entryPoint, long call, int status);

  private static native void stall(int entryPoint, long call);

  private static native boolean isStalled();

  /** Lets the call that stands still go on. */
  public static native void resume();

  /** Lets the device do what is queued, though no call waits for it; no call may be under way. */
  public static native void runQueued();

  /** Makes the driver refuse requests for more page-locked memory than this, until a reset. */
  static native void refusePinnedAbove(long bytes);

  /** Lets other processes have bytes of a device's memory. */
  static native void useElsewhere(int device, long bytes);

  /** Returns how often all entry points together were called since the reset. */
  static native long allCalls();

  /** Returns how many bytes of device memory are not freed. */
  public static native long deviceBytes();

  /** Returns allocations, streams, events, modules and contexts that are alive. */
  public static native long openObjects();

  /** Returns objects that were alive when the last context was released. */
  public static native long leakedObjects();

  /**
   * Returns copies to the host which were still queued when their callers had stopped waiting: by
   * then the memory may be freed, or used for something else.
   */
  static native long lateCopies();
}
