package io.ariadne.executor;

import io.ariadne.backend.DeviceSharing;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * How much of a device's memory a runtime may use.
 *
 * @param ofFree fraction of the memory that is free when the runtime starts, above 0 and at most 1;
 *     empty to derive it from the number of processes that share the device
 * @param processes how many processes of the machine, including this process, share the devices; 1
 *     when a resource manager has assigned this process a device of its own
 * @param reason reason for the share, as half a sentence for the log
 */
public record DeviceMemoryShare(OptionalDouble ofFree, int processes, String reason) {
  /**
   * The fraction of free memory that may be used; kernels' stacks, contexts and other users of the
   * device need the rest.
   */
  private static final double MOST_OF_FREE = 0.9;

  /** The process is the only user of the device. */
  public static final DeviceMemoryShare WHOLE = among(1, "one process to the device");

  /** Checks the bounds. */
  public DeviceMemoryShare {
    Objects.requireNonNull(reason, "reason is null");
    RuntimeConfig.requirePositive("processes", processes);
    if (ofFree.isPresent() && !(ofFree.getAsDouble() > 0 && ofFree.getAsDouble() <= 1)) {
      throw new IllegalArgumentException("ofFree=" + ofFree.getAsDouble());
    }
  }

  /** Returns an even share among processes. */
  public static DeviceMemoryShare among(int processes, String reason) {
    return new DeviceMemoryShare(OptionalDouble.empty(), processes, reason);
  }

  /** Returns a fraction of the memory that is free at the start. */
  public static DeviceMemoryShare of(double part, String reason) {
    return new DeviceMemoryShare(OptionalDouble.of(part), 1, reason);
  }

  /**
   * Returns how many bytes the runtime may use.
   *
   * <p>One of several processes gets its share of the whole memory, but at most most of the free
   * memory. So a process that starts later, or replaces another, gets as much as the earlier ones.
   *
   * @param freeBytes free memory of the device now
   * @param sharing the devices that the processes share
   */
  long bytes(long freeBytes, DeviceSharing sharing) {
    if (ofFree.isPresent()) {
      return (long) (freeBytes * ofFree.getAsDouble());
    }
    int devices = sharing.devices();
    int onThis = sharing.isOwn() ? 1 : (processes + devices - 1) / devices;
    return (long) (MOST_OF_FREE * Math.min(freeBytes, (double) sharing.memoryInBytes() / onThis));
  }

  /** Returns the reason for the share, as half a sentence for the log. */
  String reason(DeviceSharing sharing) {
    return ofFree.isEmpty() && sharing.isOwn() ? "of a device that it was given" : reason;
  }
}
