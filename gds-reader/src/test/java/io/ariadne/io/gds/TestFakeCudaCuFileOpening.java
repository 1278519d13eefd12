package io.ariadne.io.gds;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.ProcessBackend;
import io.ariadne.backend.cuda.FakeDriver;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the session with cuFile begins and ends, and what is said where it does not. */
class TestFakeCudaCuFileOpening {
  private static final int LENGTH = 300_000;

  @TempDir Path folder;

  /** Checks mode and reason, and that files are read all the same. */
  private void assertReads(DeviceUnderTest device, DirectStorage.Mode mode, String reason)
      throws IOException {
    DirectStorage storage = device.storage();
    assertEquals(mode, storage.mode(), storage.description());
    assertTrue(storage.description().contains(reason), storage.description());
    assertFalse(storage.description().contains("\n"), storage.description());
    Path file = folder.resolve("file");
    byte[] content = DeviceUnderTest.write(file, LENGTH);
    try (ByteRangeReader reader = device.open(file);
        MemoryBuffer target = device.allocate(LENGTH)) {
      reader.read(0, target, 0, LENGTH);
      device.assertBytes(content, 0, target, 0, LENGTH, reason);
    }
  }

  @Test
  void opensTheDriverOnceAndDescribesIt() throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      assertReads(device, DirectStorage.Mode.DIRECT, "cuFile 1.13, nvidia-fs 2.22");
      assertSame(device.storage(), device.storage());
      try (ProcessBackend other = ProcessBackend.register(device.backend())) {
        assertEquals(DirectStorage.Mode.DIRECT, DirectStorage.of(other).mode());
      }
      assertEquals(1, FakeCuFile.driverOpens());
      assertEquals(0, FakeCuFile.calls("cuFileDriverClose_v2"));
    }
    assertEquals(1, FakeCuFile.calls("cuFileDriverClose_v2"));
  }

  @ParameterizedTest
  @CsvSource({
    "5002, BOUNCE, CU_FILE_DRIVER_INVALID_PROPS (5002)",
    "5004, BOUNCE, CU_FILE_DRIVER_VERSION_MISMATCH (5004; install libcufile and nvidia-fs",
    "5005, BOUNCE, CU_FILE_DRIVER_VERSION_READ_ERROR (5005)",
    "5007, BOUNCE, CU_FILE_PLATFORM_NOT_SUPPORTED (5007)",
    "5009, BOUNCE, CU_FILE_DEVICE_NOT_SUPPORTED (5009)",
    "5010, BOUNCE, CU_FILE_NVFS_DRIVER_ERROR (5010)",
    "5011, BOUNCE, CU_FILE_CUDA_DRIVER_ERROR (5011)",
    "5025, BOUNCE, CU_FILE_PERMISSION_DENIED (5025; let this user read /dev/nvidia-fs*)",
    "5033, BOUNCE, CU_FILE_NVFS_SETUP_ERROR (5033)",
    "5001, COMPATIBILITY, CU_FILE_DRIVER_NOT_INITIALIZED (5001; load the kernel module nvidia-fs)",
    "5999, BOUNCE, cuFile's error 5999"
  })
  void readsThroughTheHostWhenTheDriverRefuses(int error, DirectStorage.Mode mode, String reason)
      throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      FakeCuFile.fail("cuFileDriverOpen", 1, error);
      assertReads(device, mode, "cuFileDriverOpen: " + reason);
      assertEquals(0, FakeCuFile.calls("cuFileRead"));
    }
  }

  @Test
  void doesNotUseTheCompatibilityModeOfAnOlderLibrary() throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      FakeCuFile.set(FakeCuFile.Option.REFUSES_BOOLEAN, 1);
      FakeCuFile.set(FakeCuFile.Option.NVFS_MAJOR, 0);
      FakeCuFile.set(FakeCuFile.Option.NVFS_MINOR, 0);
      assertReads(device, DirectStorage.Mode.COMPATIBILITY, "nvidia-fs is not loaded");
      assertEquals(1, FakeCuFile.calls("cuFileDriverClose_v2"));
    }
  }

  @Test
  void saysThatAnOlderLibraryMayCopyUnseen() throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      FakeCuFile.set(FakeCuFile.Option.REFUSES_BOOLEAN, 1);
      assertReads(device, DirectStorage.Mode.DIRECT, "may copy through the host without saying so");
    }
  }

  @Test
  void usesTheKernelsPeerToPeerTransfers() throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      FakeCuFile.set(FakeCuFile.Option.NVFS_MAJOR, 0);
      FakeCuFile.set(FakeCuFile.Option.NVFS_MINOR, 0);
      FakeCuFile.set(FakeCuFile.Option.FEATURES, 1 << 4);
      assertReads(device, DirectStorage.Mode.DIRECT, "peer-to-peer transfers, no batches");
    }
  }

  @Test
  void closesTheDriverWhenItHasNoProperties() throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      FakeCuFile.fail("cuFileDriverGetProperties", 1, 5022);
      assertReads(
          device, DirectStorage.Mode.BOUNCE, "cuFileDriverGetProperties: CU_FILE_INVALID_VALUE");
      assertEquals(1, FakeCuFile.calls("cuFileDriverClose_v2"));
    }
  }

  @Test
  void refusesOldLibraries() throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      FakeCuFile.set(FakeCuFile.Option.VERSION, 1070);
      assertReads(device, DirectStorage.Mode.BOUNCE, "of version 1.7, older than 1.8");
      assertEquals(0, FakeCuFile.calls("cuFileDriverOpen"));
    }
  }

  @Test
  void refusesLibrariesWithoutAVersion() throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      FakeCuFile.fail("cuFileGetVersion", 1, 5005);
      assertReads(
          device, DirectStorage.Mode.BOUNCE, "cuFileGetVersion: CU_FILE_DRIVER_VERSION_READ");
    }
  }

  @Test
  void refusesLibrariesThatLackAFunction() throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      System.setProperty(CuFileLibrary.LIBRARY_PROPERTY, "libcuda.so.1");
      assertReads(device, DirectStorage.Mode.BOUNCE, "libcufile has no cuFileGetVersion");
    }
  }

  @Test
  void saysWhyTheLibraryCannotBeLoaded() throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      System.setProperty(CuFileLibrary.LIBRARY_PROPERTY, "/nonexistent/libcufile.so.0");
      assertReads(device, DirectStorage.Mode.BOUNCE, "/nonexistent/libcufile.so.0: cannot open");
    }
  }

  @Test
  void looksForTheUsualNames() throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      System.clearProperty(CuFileLibrary.LIBRARY_PROPERTY);
      assertReads(device, DirectStorage.Mode.DIRECT, "cuFile 1.13");
    }
  }

  @Test
  void aDriverThatDoesNotCloseFailsNothing() throws IOException {
    try (DeviceUnderTest device = DeviceUnderTest.cuda()) {
      assertReads(device, DirectStorage.Mode.DIRECT, "");
      FakeCuFile.fail("cuFileDriverClose_v2", 1, 5001);
      device.stop();
      FakeCuFile.renew(); // the session stays open until the process ends
    }
  }

  @Test
  void readsThroughTheHostOnceTheDeviceIsLostBefore() throws IOException {
    DeviceUnderTest device = DeviceUnderTest.cuda();
    FakeDriver.fail("cuCtxSetCurrent", 1, 719);
    assertEquals(DirectStorage.Mode.BOUNCE, device.storage().mode());
    assertTrue(device.storage().reason().contains("lost"), device.storage().reason());
    assertEquals(0, FakeCuFile.calls("cuFileDriverOpen"));
    device.close();
  }
}
