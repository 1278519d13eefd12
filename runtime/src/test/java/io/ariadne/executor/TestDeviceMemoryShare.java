package io.ariadne.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** What a process may take of a device that it has to itself, or shares. */
class TestDeviceMemoryShare {
  private static final String WHY = "test";

  @Test
  void testMostOfWhatIsFreeForOneProcess() {
    assertEquals(900, DeviceMemoryShare.WHOLE.bytes(1000, 1000, 1));
    assertEquals(450, DeviceMemoryShare.WHOLE.bytes(500, 1000, 1));
    assertEquals(900, DeviceMemoryShare.WHOLE.bytes(1000, 1000, 4));
  }

  /** One that takes the place of another finds the others' parts in use, and gets its own. */
  @Test
  void testEvenPartsOfTheWhole() {
    DeviceMemoryShare two = DeviceMemoryShare.among(2, WHY);
    assertEquals(450, two.bytes(1000, 1000, 1));
    assertEquals(450, two.bytes(550, 1000, 1));
    assertEquals(90, two.bytes(100, 1000, 1));
    assertEquals(900, two.bytes(1000, 1000, 2));
    assertEquals(450, DeviceMemoryShare.among(3, WHY).bytes(1000, 1000, 2));
  }

  @Test
  void testPartThatIsSet() {
    assertEquals(250, DeviceMemoryShare.of(0.5, WHY).bytes(500, 1000, 1));
    assertEquals(500, DeviceMemoryShare.of(1, WHY).bytes(500, 1000, 1));
    assertThrows(IllegalArgumentException.class, () -> DeviceMemoryShare.of(0, WHY));
    assertThrows(IllegalArgumentException.class, () -> DeviceMemoryShare.of(1.1, WHY));
    assertThrows(IllegalArgumentException.class, () -> DeviceMemoryShare.among(0, WHY));
  }
}
