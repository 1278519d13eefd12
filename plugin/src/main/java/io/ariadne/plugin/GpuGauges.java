package io.ariadne.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether the executor has lost its GPU, among Spark's metrics of the executor. */
final class GpuGauges {
  private GpuGauges() {}

  /**
   * Registers the gauge.
   *
   * @param lostDevice why the GPU is lost, empty while it is not; asked by any thread
   * @param registry the plugin's, as Spark gives it
   */
  static void register(Supplier<Optional<String>> lostDevice, MetricRegistry registry) {
    Gauge<Long> lost = () -> lostDevice.get().isPresent() ? 1L : 0L;
    registry.register("gpu.lost", lost);
  }
}
