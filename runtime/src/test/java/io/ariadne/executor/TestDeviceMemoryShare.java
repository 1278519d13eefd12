package io.ariadne.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.backend.DeviceSharing;
import org.junit.jupiter.api.Test;

/** What a process may take of a device that it has to itself, or shares. */
class TestDeviceMemoryShare {
  private static final String WHY = "test";

  private static DeviceSharing among(int devices) {
    return new DeviceSharing(1000, devices, false);
  }

  @Test
  void givesOneProcessMostOfTheFreeMemory() {
    assertEquals(900, DeviceMemoryShare.WHOLE.bytes(1000, among(1)));
    assertEquals(450, DeviceMemoryShare.WHOLE.bytes(500, among(1)));
    assertEquals(900, DeviceMemoryShare.WHOLE.bytes(1000, among(4)));
  }

  /** One that takes the place of another finds the others' parts in use, and gets its own. */
  @Test
  void sharesTheWholeMemoryEvenly() {
    DeviceMemoryShare two = DeviceMemoryShare.among(2, WHY);
    assertEquals(450, two.bytes(1000, among(1)));
    assertEquals(450, two.bytes(550, among(1)));
    assertEquals(90, two.bytes(100, among(1)));
    assertEquals(900, two.bytes(1000, among(2)));
    assertEquals(450, DeviceMemoryShare.among(3, WHY).bytes(1000, among(2)));
    assertEquals(WHY, two.reason(among(1)));
  }

  /** However many executors fit the machine: the others have devices of their own as well. */
  @Test
  void givesAnAssignedDeviceToOneProcess() {
    DeviceSharing own = new DeviceSharing(1000, 1, true);
    DeviceMemoryShare four = DeviceMemoryShare.among(4, WHY);
    assertEquals(900, four.bytes(1000, own));
    assertEquals("of a device that it was given", four.reason(own));
    assertEquals(500, DeviceMemoryShare.of(0.5, WHY).bytes(1000, own));
    assertEquals(WHY, DeviceMemoryShare.of(0.5, WHY).reason(own));
  }

  @Test
  void givesTheConfiguredFraction() {
    assertEquals(250, DeviceMemoryShare.of(0.5, WHY).bytes(500, among(1)));
    assertEquals(500, DeviceMemoryShare.of(1, WHY).bytes(500, among(1)));
    assertThrows(IllegalArgumentException.class, () -> DeviceMemoryShare.of(0, WHY));
    assertThrows(IllegalArgumentException.class, () -> DeviceMemoryShare.of(1.1, WHY));
    assertThrows(IllegalArgumentException.class, () -> DeviceMemoryShare.among(0, WHY));
  }
}
