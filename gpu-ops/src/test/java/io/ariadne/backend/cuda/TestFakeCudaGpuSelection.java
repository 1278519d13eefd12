package io.ariadne.backend.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.DeviceSharing;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which GPU a process takes: the one it was given, else the one with the most free memory. */
class TestFakeCudaGpuSelection {
  private static final long SEED = Long.getLong("ariadne.test.seed", System.nanoTime());
  private static final String ORIGIN = "spark.executor.resource.gpu.amount";
  private static final int NOT_PERMITTED = 800;

  private static GpuRequest given(String... addresses) {
    return new GpuRequest(List.of(addresses), ORIGIN);
  }

  @AfterEach
  void forgetTheOverride() {
    System.clearProperty(CudaBackend.DEVICE_PROPERTY);
  }

  private static void devices(int count) {
    FakeDriver.reset(FakeDriver.Options.DEFAULT.withDeviceCount(count), SEED);
  }

  private static String chosen(GpuRequest request) {
    CudaBackend backend = CudaBackend.open(request);
    String description = backend.description();
    backend.close();
    assertEquals(0, FakeDriver.openObjects());
    assertEquals(0, FakeDriver.leakedObjects());
    return description;
  }

  private static void assertChosen(int ordinal, String why, GpuRequest request) {
    assertEquals(
        "GPU "
            + ordinal
            + " (Fake GPU), 1024 MiB, compute capability 9.0, driver of CUDA 12.6, "
            + why,
        chosen(request));
  }

  @Test
  void selectsTheOnlyGpu() {
    devices(1);
    assertChosen(0, "the only one the process sees", GpuRequest.ANY);
    assertEquals(1, FakeDriver.calls("cuDevicePrimaryCtxRetain"), "no context but its own");
  }

  @Test
  void aHeldContextOutlivesBackEnds() {
    devices(1);
    RunTestClasses.holdContext();
    CudaBackend.open(GpuRequest.ANY).close();
    assertEquals(1, FakeDriver.openObjects());
  }

  @Test
  void selectsTheGpuWithTheMostFreeMemory() {
    devices(3);
    FakeDriver.useElsewhere(0, 512 << 20);
    FakeDriver.useElsewhere(1, 100 << 20);
    FakeDriver.useElsewhere(2, 101 << 20);
    assertChosen(1, "924 MiB free, the most of 3 that it sees", GpuRequest.ANY);
  }

  @Test
  void skipsAGpuThatRefusesItsContext() {
    devices(2);
    FakeDriver.useElsewhere(1, 100 << 20);
    FakeDriver.fail("cuDevicePrimaryCtxRetain", 1, NOT_PERMITTED);
    assertChosen(1, "924 MiB free, the most of 2 that it sees", GpuRequest.ANY);
    devices(1);
    FakeDriver.fail("cuDevicePrimaryCtxRetain", 1, NOT_PERMITTED);
    assertThrows(EngineException.class, () -> CudaBackend.open(GpuRequest.ANY));
  }

  @Test
  void addressesAreOrdinalsOrIdentifiers() {
    devices(3);
    String why = "address %s of " + ORIGIN;
    assertChosen(2, String.format(why, "2"), given("2"));
    String whole = "GPU-01f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff";
    assertChosen(1, String.format(why, whole), given(whole));
    assertChosen(
        1,
        "address 1 of " + ORIGIN + ", the first of 2, as a process uses one GPU",
        given("1", "0"));
    assertChosen(2, String.format(why, "GPU-02f1"), given("GPU-02f1"));
  }

  /**
   * A container with one GPU numbers it 0, whatever its number is outside, and the driver does not
   * tell which instance it has.
   */
  @Test
  void everyOrdinalSelectsTheOnlyGpu() {
    devices(1);
    String why = "address %s of " + ORIGIN + ", the only one the process sees";
    assertChosen(0, String.format(why, "5"), given("5"));
    assertChosen(0, String.format(why, "MIG-00f1/1/0"), given("MIG-00f1/1/0"));
    assertChosen(0, "address 0 of " + ORIGIN, given("0"));
    assertChosen(0, "address GPU-00F1 of " + ORIGIN, given("GPU-00F1"));
  }

  @Test
  void anotherIdentifierDoesNotSelectTheOnlyGpu() {
    devices(1);
    EngineException e =
        assertThrows(EngineException.class, () -> CudaBackend.open(given("GPU-ffff")));
    assertEquals(ErrorCode.CONFIGURATION, e.code());
    assertTrue(e.getMessage().contains("address GPU-ffff, which no GPU has"), e.getMessage());
    assertThrows(EngineException.class, () -> CudaBackend.open(given("nonsense")));
  }

  private static DeviceSharing sharing(GpuRequest request) {
    try (CudaBackend backend = CudaBackend.open(request)) {
      return backend.sharing();
    }
  }

  @Test
  void reportsHowProcessesShareGpus() {
    devices(3);
    assertEquals(new DeviceSharing(1 << 30, 3, false), sharing(GpuRequest.ANY));
    assertEquals(new DeviceSharing(1 << 30, 1, true), sharing(given("2")));
    FakeDriver.fail("cuDevicePrimaryCtxRetain", 2, NOT_PERMITTED);
    assertEquals(new DeviceSharing(1 << 30, 2, false), sharing(GpuRequest.ANY), "one is refused");
    System.setProperty(CudaBackend.DEVICE_PROPERTY, "1");
    assertEquals(new DeviceSharing(1 << 30, 1, false), sharing(given("1")));
    System.clearProperty(CudaBackend.DEVICE_PROPERTY);
    devices(1);
    assertEquals(new DeviceSharing(1 << 30, 1, true), sharing(given("0")));
    assertEquals(new DeviceSharing(1 << 30, 1, false), sharing(given("5")), "it may be another");
    assertEquals(new DeviceSharing(1 << 30, 1, false), sharing(given("MIG-00f1")));
  }

  /** The second of three fails: the others are found, and a request for it is refused. */
  @ParameterizedTest
  @ValueSource(strings = {"cuDeviceGet", "cuDeviceGetName", "cuDeviceGetUuid"})
  void skipsABrokenGpu(String entryPoint) {
    devices(3);
    FakeDriver.useElsewhere(0, 100 << 20);
    FakeDriver.fail(entryPoint, 2, NOT_PERMITTED);
    assertChosen(2, "1024 MiB free, the most of 3 that it sees", GpuRequest.ANY);
    FakeDriver.fail(entryPoint, 2, NOT_PERMITTED);
    assertEquals(new DeviceSharing(1 << 30, 2, false), sharing(GpuRequest.ANY));
    FakeDriver.fail(entryPoint, 2, NOT_PERMITTED);
    assertChosen(2, "address 2 of " + ORIGIN, given("2"));
    FakeDriver.fail(entryPoint, 2, NOT_PERMITTED);
    String reason = CudaBackend.reasonAgainst(1).orElseThrow();
    assertTrue(reason.startsWith("GPU 1: " + entryPoint), reason);
    FakeDriver.fail(entryPoint, 2, NOT_PERMITTED);
    EngineException e = assertThrows(EngineException.class, () -> CudaBackend.open(given("1")));
    assertTrue(e.getMessage().contains(", GPU 1: " + entryPoint + " failed"), e.getMessage());
    devices(1);
    FakeDriver.fail(entryPoint, 1, NOT_PERMITTED);
    assertTrue(
        CudaBackend.reasonAgainst(0).orElseThrow().startsWith("GPU 0: " + entryPoint), entryPoint);
  }

  @Test
  void refusesAnAddressThatNoGpuHas() {
    devices(2);
    EngineException e =
        assertThrows(EngineException.class, () -> CudaBackend.open(given("5", "0")));
    assertEquals(ErrorCode.CONFIGURATION, e.code());
    assertEquals(
        ORIGIN
            + " gives this process address 5, which no GPU has: the driver has GPU 0 (Fake GPU)"
            + " GPU-00f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff, GPU 1 (Fake GPU)"
            + " GPU-01f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff; let the discovery script write ordinals"
            + " or UUIDs that the driver has here, or give its container one GPU",
        e.getMessage());
    assertTrue(
        assertThrows(EngineException.class, () -> CudaBackend.open(given("GPU-0")))
            .getMessage()
            .contains("address GPU-0, which several GPUs have"));
    assertThrows(EngineException.class, () -> CudaBackend.open(given("nonsense")));
    assertEquals(0, FakeDriver.openObjects());
  }

  @Test
  void propertyOverridesTheResourceAddress() {
    devices(2);
    System.setProperty(CudaBackend.DEVICE_PROPERTY, "1");
    assertChosen(1, "by ariadne.cuda.device", given("0"));
    System.setProperty(CudaBackend.DEVICE_PROPERTY, "2");
    EngineException e = assertThrows(EngineException.class, () -> CudaBackend.open(given("0")));
    assertEquals("CUDA is not available: there is no GPU 2, the driver has 2", e.getMessage());
  }

  @Test
  void refusesGpusThatAreTooOld() {
    FakeDriver.reset(FakeDriver.Options.DEFAULT.withDeviceCount(2).withCapability(75), SEED);
    EngineException e = assertThrows(EngineException.class, () -> CudaBackend.open(GpuRequest.ANY));
    assertEquals(ErrorCode.CONFIGURATION, e.code());
    assertTrue(e.getMessage().contains("compute capability 7.5, not 8.0"), e.getMessage());
  }
}
