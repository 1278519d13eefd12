package io.ariadne.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.Optional;
import java.util.function.Supplier;

/** Publishes as a metric of the executor whether it has lost its GPU. */
final class GpuGauges {
  private GpuGauges() {}

  /**
   * Registers the gauge.
   *
   * @param lostDevice returns why the GPU is lost, or empty while it works; any thread may call it
   * @param registry the plugin's registry, as Spark passes it
   */
  static void register(Supplier<Optional<String>> lostDevice, MetricRegistry registry) {
    Gauge<Long> lost = () -> lostDevice.get().isPresent() ? 1L : 0L;
    registry.register("gpu.lost", lost);
  }
}
