package io.ariadne.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import java.util.concurrent.atomic.LongAdder;

/**
 * Publishes counters of the process as metrics.
 *
 * @param registry the executor's metrics
 * @param prefix of the names of the metrics
 */
record CounterGauges(MetricRegistry registry, String prefix) {
  /** Registers a counter. Any thread may read it. */
  void add(String name, LongAdder counter) {
    Gauge<Long> gauge = counter::sum;
    registry.register(prefix + name, gauge);
  }
}
