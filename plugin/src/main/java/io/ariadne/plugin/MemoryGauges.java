package io.ariadne.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.ariadne.executor.MemoryUsage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Publishes the memory statistics of the runtime as metrics of the executor: per tier the bytes in
 * use, the limit and the bytes moved. Spark adds the plugin's name as a prefix and passes the
 * metrics to its sinks.
 */
final class MemoryGauges {
  private final Supplier<MemoryUsage> statistics;
  private final MetricRegistry registry;

  private MemoryGauges(Supplier<MemoryUsage> statistics, MetricRegistry registry) {
    this.statistics = statistics;
    this.registry = registry;
  }

  /**
   * Registers all gauges.
   *
   * @param statistics returns the statistics; any thread may call it
   * @param mapOutputs returns the bytes of host memory of map outputs; any thread may call it
   * @param registry the plugin's registry, as Spark passes it
   */
  static void register(
      Supplier<MemoryUsage> statistics, LongSupplier mapOutputs, MetricRegistry registry) {
    MemoryGauges gauges = new MemoryGauges(statistics, registry);
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
    Gauge<Long> gauge = () -> value.applyAsLong(statistics.get());
    registry.register(name, gauge);
  }
}
