package io.ariadne.io.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.ArgumentBlock;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.columnar.buffer.Memory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Control of the fake libcufile (sources in {@code gpu-ops/src/test/storage}). It is loaded before
 * the reader asks for {@code libcufile.so.0}, and the dynamic loader gives it to the reader by that
 * name.
 */
final class FakeCuFile {
  /** The name by which the reader finds it. */
  static final String NAME = "libcufile.so.0";

  private static final String LIBRARY = "/io/ariadne/native/driver/" + NAME;

  private static boolean loaded;

  private FakeCuFile() {}

  /** What can be set; the order is that of {@code options.def}. */
  enum Option {
    VERSION,
    NVFS_MAJOR,
    NVFS_MINOR,
    FILE_SYSTEMS,
    CONTROL_FLAGS,
    FEATURES,
    BUFFER_CACHE_KIB,
    BATCH_ENTRIES,
    REGISTERED_LIMIT,
    READ_LIMIT,
    REFUSE_UNALIGNED,
    IDLE_POLLS,
    FAILING_POLLS,
    EVENTS_PER_POLL,
    FAILING_ENTRY,
    ENTRY_RESULT,
    REFUSES_BOOLEAN
  }

  /** Loads the library unless it is loaded, and makes it as good as new; nothing may be open. */
  static synchronized void renew() {
    if (!loaded) {
      FakeDriver.start(1 << 20, 1); // it is linked to the driver, which has to be there before
      load();
      loaded = true;
    }
    reset();
  }

  private static void load() {
    try (InputStream library = FakeCuFile.class.getResourceAsStream(LIBRARY)) {
      Path folder = Files.createTempDirectory("ariadne-fake-cufile-");
      Path file = folder.resolve(NAME);
      Files.write(file, Objects.requireNonNull(library, LIBRARY).readAllBytes());
      System.load(file.toString());
      Files.delete(file);
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unpack " + LIBRARY, e);
    }
  }

  static void set(Option option, long value) {
    set(option.ordinal(), value);
  }

  /**
   * Makes a call fail without doing anything.
   *
   * @param entryPoint the C name of the function
   * @param call which of its next calls, from 1
   * @param status what it returns; for reads also an error number of the system
   */
  static void fail(String entryPoint, long call, int status) {
    fail(number(entryPoint), call, status);
  }

  /** Returns how often an entry point was called since the reset. */
  static long calls(String entryPoint) {
    return calls(number(entryPoint));
  }

  /** Fails when a caller has done something wrong, or something is open. */
  static void assertClean(String message) {
    assertEquals("", faultText(), message);
    assertEquals(0, openObjects(), "open objects of cuFile: " + message);
  }

  /** Returns the last fault, empty if there is none. */
  static String faultText() {
    StringBuilder text = new StringBuilder();
    if (faults() > 0) {
      text.append(faults()).append(" faults, the last: ");
      for (long at = faultAddress(); Memory.getByte(at) != 0; at++) {
        text.append((char) Memory.getByte(at));
      }
    }
    return text.toString();
  }

  private static int number(String entryPoint) {
    byte[] name = entryPoint.getBytes(StandardCharsets.US_ASCII);
    try (ArgumentBlock text = new ArgumentBlock(name.length + 1)) {
      Memory.copy(name, 0, text.address(), name.length);
      int number = entryPoint(text.address());
      if (number < 0) {
        throw new IllegalArgumentException("the fake libcufile has no " + entryPoint);
      }
      return number;
    }
  }

  private static native void reset();

  private static native int entryPoint(long nameAddress);

  private static native long calls(int entryPoint);

  private static native void fail(int entryPoint, long call, int status);

  private static native void set(int option, long value);

  private static native long faultAddress();

  /** Ends batches that are open, without reads, as the end of a process does. */
  static native void endBatches();

  /** Returns files, buffers, streams, batches that are open, and the driver. */
  static native long openObjects();

  /** Returns files that are registered. */
  static native long openHandles();

  /** Returns how often the driver was opened. */
  static native long driverOpens();

  /** Returns reads that the library would have to move within GPU memory. */
  static native long unalignedReads();

  /** Returns reads into registered memory. */
  static native long registeredReads();

  /** Returns reads into memory that is not registered. */
  static native long unregisteredReads();

  /** Returns how often a caller has done something wrong. */
  static native long faults();
}
