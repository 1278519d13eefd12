package io.ariadne.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.ariadne.io.cache.RangeCacheCounters;
import java.util.concurrent.atomic.LongAdder;

/** Publishes what the range cache has done since the process started as metrics. */
final class CacheGauges {
  private CacheGauges() {}

  /** Registers all gauges. Any thread may read them. */
  static void register(RangeCacheCounters counters, MetricRegistry registry) {
    add(registry, "hits", counters.hits());
    add(registry, "misses", counters.misses());
    add(registry, "bytesFromCache", counters.bytesFromCache());
    add(registry, "bytesFromStorage", counters.bytesFromStorage());
    add(registry, "bytesWritten", counters.bytesWritten());
    add(registry, "evictions", counters.evictions());
    add(registry, "corruptFiles", counters.corruptFiles());
    add(registry, "droppedWrites", counters.droppedWrites());
  }

  private static void add(MetricRegistry registry, String name, LongAdder counter) {
    Gauge<Long> gauge = counter::sum;
    registry.register("cache." + name, gauge);
  }
}
