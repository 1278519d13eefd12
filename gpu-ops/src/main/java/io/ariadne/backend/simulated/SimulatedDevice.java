package io.ariadne.backend.simulated;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;

/**
 * The properties of a simulated device.
 *
 * @param memoryInBytes bytes of its memory
 * @param copyMegabytesPerSecond 10^6 bytes per second in each direction, both at the same time; 0
 *     for the speed of host memory
 * @param latencyInMicros the least time of a launch or a copy
 * @param computeSpeed speed of its kernels relative to the processor's, above 0 and at most 1; a
 *     faster device is simulated by slower copies
 */
public record SimulatedDevice(
    long memoryInBytes, long copyMegabytesPerSecond, long latencyInMicros, double computeSpeed) {
  /** Checks the values. */
  public SimulatedDevice {
    if (memoryInBytes <= 0
        || copyMegabytesPerSecond < 0
        || latencyInMicros < 0
        || !(computeSpeed > 0 && computeSpeed <= 1)) {
      throw new EngineException(
          ErrorCode.CONFIGURATION,
          "no device can be simulated with "
              + memoryInBytes
              + " bytes, "
              + copyMegabytesPerSecond
              + " MB/s, "
              + latencyInMicros
              + " us and speed "
              + computeSpeed
              + "; see the system properties "
              + PROPERTIES
              + "*");
    }
  }

  private static final String PROPERTIES = "ariadne.simulated.";

  /** Returns a device of so many bytes that is as fast as the processor. */
  public static SimulatedDevice of(long memoryInBytes) {
    return new SimulatedDevice(memoryInBytes, 0, 0, 1);
  }

  /**
   * Returns the device that the system properties describe: {@code ariadne.simulated.memory} in
   * bytes (1 GiB), {@code .bandwidth} in MB/s (0), {@code .latency} in microseconds (0), {@code
   * .speed} (1).
   *
   * @throws EngineException CONFIGURATION when they make no sense
   */
  public static SimulatedDevice configured() {
    return new SimulatedDevice(
        Long.getLong(PROPERTIES + "memory", 1L << 30),
        Long.getLong(PROPERTIES + "bandwidth", 0),
        Long.getLong(PROPERTIES + "latency", 0),
        speed(System.getProperty(PROPERTIES + "speed", "1")));
  }

  private static double speed(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new EngineException(
          ErrorCode.CONFIGURATION, "the system property " + PROPERTIES + "speed is " + text, e);
    }
  }
}
