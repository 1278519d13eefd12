package io.ariadne.plugin;

import com.codahale.metrics.MetricRegistry;
import io.ariadne.shuffle.transport.TransportCounters;

/** Publishes what the transport has moved since the process started as metrics. */
final class TransportGauges {
  private TransportGauges() {}

  /** Registers all gauges. Any thread may read them. */
  static void register(TransportCounters counters, MetricRegistry registry) {
    CounterGauges gauges = new CounterGauges(registry, "shuffle.transport.");
    gauges.add("sentBytes", counters.sentBytes());
    gauges.add("sentPlainBytes", counters.sentPlainBytes());
    gauges.add("busyReplies", counters.busyReplies());
    gauges.add("receivedBytes", counters.receivedBytes());
    gauges.add("receivedPlainBytes", counters.receivedPlainBytes());
    gauges.add("requests", counters.requests());
    gauges.add("failedRequests", counters.failedRequests());
    gauges.add("waitNanos", counters.waitNanos());
  }
}
