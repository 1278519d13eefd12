package io.ariadne.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.ariadne.executor.MemoryFigures;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The runtime's memory among Spark's metrics of the executor: bytes per tier, in use, at most and
 * moved. Spark puts the plugin's name before these names and hands them to its sinks.
 */
final class MemoryGauges {
  private final Supplier<MemoryFigures> figures;
  private final MetricRegistry registry;

  private MemoryGauges(Supplier<MemoryFigures> figures, MetricRegistry registry) {
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
      Supplier<MemoryFigures> figures, LongSupplier mapOutputs, MetricRegistry registry) {
    MemoryGauges gauges = new MemoryGauges(figures, registry);
    gauges.add("memory.host.bytes", MemoryFigures::hostBytes);
    gauges.add("memory.host.limit", MemoryFigures::hostLimit);
    gauges.add("memory.device.bytes", MemoryFigures::deviceBytes);
    gauges.add("memory.device.limit", MemoryFigures::deviceLimit);
    gauges.add("memory.device.hosted", MemoryFigures::hostedBytes);
    gauges.add("memory.disk.bytes", MemoryFigures::diskBytes);
    gauges.add("memory.pages.bytes", MemoryFigures::pageBytes);
    gauges.add("memory.moved.deviceToHost", MemoryFigures::movedFromDevice);
    gauges.add("memory.moved.hostToDisk", MemoryFigures::movedFromHost);
    gauges.add("memory.host.mapOutputs", any -> mapOutputs.getAsLong());
  }

  private void add(String name, ToLongFunction<MemoryFigures> value) {
    Gauge<Long> gauge = () -> value.applyAsLong(figures.get());
    registry.register(name, gauge);
  }
}
