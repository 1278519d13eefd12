package io.ariadne.executor;

import io.ariadne.backend.cuda.GpuRequest;
import java.util.Objects;

/**
 * How a runtime uses a device, where its back end has one; checked and immutable.
 *
 * @param gpu which GPU
 * @param memory how much of its memory
 * @param onLoss what follows when it is lost
 */
public record DeviceConfig(GpuRequest gpu, DeviceMemoryShare memory, DeviceLossAction onLoss) {
  /** The process has the device to itself, and goes on without it when it is lost. */
  public static final DeviceConfig DEFAULT =
      new DeviceConfig(GpuRequest.ANY, DeviceMemoryShare.WHOLE, DeviceLossAction.USE_HOST);

  /** Checks for nulls. */
  public DeviceConfig {
    Objects.requireNonNull(gpu, "gpu is null");
    Objects.requireNonNull(memory, "memory is null");
    Objects.requireNonNull(onLoss, "onLoss is null");
  }

  /** Returns these with something else that follows when the device is lost. */
  public DeviceConfig withOnLoss(DeviceLossAction other) {
    return new DeviceConfig(gpu, memory, other);
  }
}
