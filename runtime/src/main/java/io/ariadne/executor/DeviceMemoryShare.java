package io.ariadne.executor;

import io.ariadne.backend.DeviceSharing;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * How much of a device's memory a runtime may take.
 *
 * @param ofFree this part of the memory that is free when the runtime starts, above 0 and at most
 *     1; empty for a part that follows from the processes that share the device
 * @param processes how many processes of the machine use devices of its kind, this one included
 *     unless a resource manager has given it a device of its own
 * @param reason why so many, half a sentence for the log
 */
public record DeviceMemoryShare(OptionalDouble ofFree, int processes, String reason) {
  /** Kernels' stacks, contexts and other users of the device need some. */
  private static final double MOST_OF_FREE = 0.9;

  /** The process has the device to itself. */
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

  /** Returns a part of what is free at the start. */
  public static DeviceMemoryShare of(double part, String reason) {
    return new DeviceMemoryShare(OptionalDouble.of(part), 1, reason);
  }

  /**
   * Returns how many bytes the runtime may take.
   *
   * <p>A process among several gets its part of the whole memory, though not more than most of what
   * is free: so one that starts later, or in the place of another, gets as much as the others.
   *
   * @param freeBytes of the device now
   * @param sharing what the processes share
   */
  long bytes(long freeBytes, DeviceSharing sharing) {
    if (ofFree.isPresent()) {
      return (long) (freeBytes * ofFree.getAsDouble());
    }
    int devices = sharing.devices();
    int onThis = sharing.isOwn() ? 1 : (processes + devices - 1) / devices;
    return (long) (MOST_OF_FREE * Math.min(freeBytes, (double) sharing.memoryInBytes() / onThis));
  }

  /** Returns why so many bytes, half a sentence for the log. */
  String reason(DeviceSharing sharing) {
    return ofFree.isEmpty() && sharing.isOwn() ? "of a device that it was given" : reason;
  }
}
