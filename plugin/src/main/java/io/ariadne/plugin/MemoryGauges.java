package io.ariadne.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.ariadne.executor.MemoryUsage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The runtime's memory among Spark's metrics of the executor: bytes per tier, in use, at most and
 * moved. Spark puts the plugin's name before these names and hands them to its sinks.
 */
final class MemoryGauges {
  private final Supplier<MemoryUsage> figures;
  private final MetricRegistry registry;

  private MemoryGauges(Supplier<MemoryUsage> figures, MetricRegistry registry) {
    this.figures = figures;
    this.registry = registry;
  }

  /**
   * Registers all gauges.
   *
   * @param figures asked whenever a sink wants values, by any thread
   * @param mapOutputs returns bytes of host memory that map outputs take; asked likewise
   * @param registry the plugin's, as Spark gives it
   */
  static void register(
      Supplier<MemoryUsage> figures, LongSupplier mapOutputs, MetricRegistry registry) {
    MemoryGauges gauges = new MemoryGauges(figures, registry);
    gauges.add("memory.host.bytes", MemoryUsage::hostBytes);
    gauges.add("memory.host.limit", MemoryUsage::hostLimit);
    gauges.add("memory.device.bytes", MemoryUsage::deviceBytes);
    gauges.add("memory.device.limit", MemoryUsage::deviceLimit);
    gauges.add("memory.device.hosted", MemoryUsage::hostedBytes);
    gauges.add("memory.disk.bytes", MemoryUsage::diskBytes);
    gauges.add("memory.pages.bytes", MemoryUsage::pageBytes);
    gauges.add("memory.moved.deviceToHost", MemoryUsage::movedFromDevice);
    gauges.add("memory.moved.hostToDisk", MemoryUsage::movedFromHost);
    gauges.add("memory.host.mapOutputs", any -> mapOutputs.getAsLong());
  }

  private void add(String name, ToLongFunction<MemoryUsage> value) {
    Gauge<Long> gauge = () -> value.applyAsLong(figures.get());
    registry.register(name, gauge);
  }
}
