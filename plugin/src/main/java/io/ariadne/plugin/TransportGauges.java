package io.ariadne.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.ariadne.shuffle.transport.TransportCounters;
import java.util.concurrent.atomic.LongAdder;

/** Publishes what the transport has moved since the process started as metrics. */
final class TransportGauges {
  private TransportGauges() {}

  /** Registers all gauges. Any thread may read them. */
  static void register(TransportCounters counters, MetricRegistry registry) {
    add(registry, "sentBytes", counters.sentBytes());
    add(registry, "sentPlainBytes", counters.sentPlainBytes());
    add(registry, "busyReplies", counters.busyReplies());
    add(registry, "receivedBytes", counters.receivedBytes());
    add(registry, "receivedPlainBytes", counters.receivedPlainBytes());
    add(registry, "requests", counters.requests());
    add(registry, "failedRequests", counters.failedRequests());
    add(registry, "waitNanos", counters.waitNanos());
  }

  private static void add(MetricRegistry registry, String name, LongAdder counter) {
    Gauge<Long> gauge = counter::sum;
    registry.register("shuffle.transport." + name, gauge);
  }
}
