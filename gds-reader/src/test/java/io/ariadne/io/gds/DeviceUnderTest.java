package io.ariadne.io.gds;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.Backend;
import io.ariadne.backend.ProcessBackend;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.backend.cuda.RealDriver;
import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaderProvider;
import io.ariadne.io.LocalReaderProvider;
import io.ariadne.io.OpenRequest;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** A process with a device, for tests; its end checks that nothing is left. */
final class DeviceUnderTest implements AutoCloseable {
  static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());

  /** Ends waits of tests that would have no end. */
  static final long PATIENCE_MILLIS = 20_000;

  /** Any file system is one that cuFile knows. */
  static final GdsOptions OPTIONS =
      GdsOptions.DEFAULT.withFileSystems(file -> "ext4").withPatience(PATIENCE_MILLIS);

  private static final long DEVICE_BYTES = 128 << 20;

  private final Backend backend;
  private final boolean isFake;
  private final ProcessBackend process;
  private final MemoryPool pool;
  private final MemoryPool host;
  private final long blocks = ArgumentBlock.openBlocks();
  private final GdsOptions options;
  private final GdsReaderProvider provider;

  private DeviceUnderTest(
      Backend backend, boolean isFake, GdsOptions options, ByteRangeReaderProvider local) {
    this.backend = backend;
    this.isFake = isFake;
    this.options = options;
    this.process = ProcessBackend.register(backend);
    this.pool =
        MemoryPools.over("device", DEVICE_BYTES, backend.memory(MemoryTier.DEVICE).orElseThrow());
    this.host = MemoryPools.host("host", DEVICE_BYTES);
    this.provider = new GdsReaderProvider(options, List.of(local));
  }

  /** Opens a fake GPU with a fake cuFile that reads all files directly. */
  static DeviceUnderTest cuda() {
    return cuda(OPTIONS);
  }

  /** Opens a fake GPU with a fake cuFile. */
  static DeviceUnderTest cuda(GdsOptions options) {
    return cuda(options, new LocalReaderProvider());
  }

  /** Opens a fake GPU with a fake cuFile over a reader of local files. */
  static DeviceUnderTest cuda(GdsOptions options, ByteRangeReaderProvider local) {
    FakeCuFile.renew();
    System.setProperty(CuFileLibrary.LIBRARY_PROPERTY, FakeCuFile.NAME);
    return new DeviceUnderTest(FakeDriver.open(SEED), true, options, local);
  }

  /** Opens the GPU of this machine; where there is none, the calling test is skipped. */
  static DeviceUnderTest real() {
    System.clearProperty(CuFileLibrary.LIBRARY_PROPERTY);
    GdsOptions options = GdsOptions.DEFAULT.withPatience(PATIENCE_MILLIS);
    return new DeviceUnderTest(RealDriver.open(), false, options, new LocalReaderProvider());
  }

  /** Opens a simulated device. */
  static DeviceUnderTest simulated() {
    SimulatedDevice device = new SimulatedDevice(DEVICE_BYTES, 0, 0, 1);
    return new DeviceUnderTest(
        SimulatedBackend.open(device), false, OPTIONS, new LocalReaderProvider());
  }

  Backend backend() {
    return backend;
  }

  GdsReaderProvider provider() {
    return provider;
  }

  /** Returns the storage, which the first call opens. */
  DirectStorage storage() {
    return DirectStorage.of(process, options);
  }

  /** Ends the process's use of the device, as a runtime that stops does. */
  void stop() {
    process.close();
  }

  ByteRangeReader open(Path file) throws IOException {
    return provider.open(OpenRequest.ofLocal(file));
  }

  MemoryBuffer allocate(long bytes) {
    return pool.allocate(bytes);
  }

  MemoryBuffer allocateOnHost(long bytes) {
    return host.allocate(bytes);
  }

  /** Writes a file of random bytes. */
  static byte[] write(Path file, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    new Random(SEED).nextBytes(content);
    Files.write(file, content);
    return content;
  }

  /** Returns bytes of a buffer of any tier. */
  byte[] bytes(MemoryBuffer buffer, long offset, int length) {
    byte[] bytes = new byte[length];
    if (buffer.tier() != MemoryTier.DEVICE) {
      buffer.getBytes(offset, bytes, 0, length);
      return bytes;
    }
    long copy = Memory.allocate(Math.max(1, length));
    backend.read(buffer, offset, copy, length);
    Memory.copy(copy, bytes, 0, length);
    Memory.free(copy);
    return bytes;
  }

  /** Checks that a part of a buffer has the bytes of a part of a file. */
  void assertBytes(
      byte[] content, long position, MemoryBuffer buffer, long offset, int length, String message) {
    assertArrayEquals(
        Arrays.copyOfRange(content, (int) position, (int) position + length),
        bytes(buffer, offset, length),
        message + ", seed " + SEED);
  }

  /** Returns how many files below a folder this process has open. */
  static long openFiles(Path folder) throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.filter(descriptor -> leadsBelow(descriptor, folder)).count();
    }
  }

  private static boolean leadsBelow(Path descriptor, Path folder) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(folder);
    } catch (IOException e) {
      return false; // it is closed since
    }
  }

  /** Closes what is the caller's after a batch was abandoned; cuFile's objects stay open. */
  void closeAbandoned() {
    process.close();
    pool.close();
    host.close();
    backend.close();
  }

  @Override
  public void close() {
    process.close();
    boolean isLost = backend.lost().isPresent(); // then the driver frees with the context
    assertEquals(0, pool.allocatedBytes(), "device bytes");
    assertEquals(0, host.allocatedBytes(), "host bytes");
    pool.close();
    host.close();
    backend.close();
    assertEquals(blocks, ArgumentBlock.openBlocks(), "argument blocks");
    if (isFake) {
      FakeCuFile.assertClean("seed " + SEED);
      assertEquals(0, FakeDriver.openObjects(), "objects of the CUDA driver");
      assertTrue(isLost || FakeDriver.leakedObjects() == 0, "leaked objects of the CUDA driver");
    }
  }
}
