package io.ariadne.executor;

import io.ariadne.backend.cuda.GpuRequest;
import java.util.Objects;

/**
 * How a runtime uses a device, if its back end has one; checked and immutable.
 *
 * @param gpu which GPU
 * @param memory how much of its memory
 * @param onLoss what happens when it is lost
 */
public record DeviceConfig(GpuRequest gpu, DeviceMemoryShare memory, DeviceLossAction onLoss) {
  /** The process uses the whole device, and continues without it after a loss. */
  public static final DeviceConfig DEFAULT =
      new DeviceConfig(GpuRequest.ANY, DeviceMemoryShare.WHOLE, DeviceLossAction.USE_HOST);

  /** Checks for nulls. */
  public DeviceConfig {
    Objects.requireNonNull(gpu, "gpu is null");
    Objects.requireNonNull(memory, "memory is null");
    Objects.requireNonNull(onLoss, "onLoss is null");
  }

  /** Returns this configuration with another reaction to a loss of the device. */
  public DeviceConfig withOnLoss(DeviceLossAction other) {
    return new DeviceConfig(gpu, memory, other);
  }
}
