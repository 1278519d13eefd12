package io.ariadne.plugin;

import com.codahale.metrics.MetricRegistry;
import io.ariadne.io.cache.RangeCacheCounters;

/** Publishes what the range cache has done since the process started as metrics. */
final class CacheGauges {
  private CacheGauges() {}

  /** Registers all gauges. Any thread may read them. */
  static void register(RangeCacheCounters counters, MetricRegistry registry) {
    CounterGauges gauges = new CounterGauges(registry, "cache.");
    gauges.add("hits", counters.hits());
    gauges.add("misses", counters.misses());
    gauges.add("bytesFromCache", counters.bytesFromCache());
    gauges.add("bytesFromStorage", counters.bytesFromStorage());
    gauges.add("bytesWritten", counters.bytesWritten());
    gauges.add("evictions", counters.evictions());
    gauges.add("corruptFiles", counters.corruptFiles());
    gauges.add("droppedWrites", counters.droppedWrites());
  }
}
