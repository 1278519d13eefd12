package io.ariadne.plugin;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.ariadne.event.EventKind;
import io.ariadne.event.EventTotals;
import io.ariadne.event.ThreadRecords;
import java.util.function.ToLongFunction;

/**
 * Publishes the sums of the runtime's events since the process started as metrics of the executor:
 * per kind their number, their time over all threads, and their bytes. Spark adds the plugin's name
 * as a prefix and passes the metrics to its sinks.
 */
final class EventGauges {

  private EventGauges() {}

  /** Registers all gauges. Any thread may read them. */
  static void register(MetricRegistry registry) {
    for (EventKind kind : EventKind.values()) {
      String name = "events." + name(kind);
      add(registry, name + ".count", kind, EventTotals::count);
      add(registry, name + ".nanos", kind, EventTotals::nanos);
      add(registry, name + ".bytes", kind, EventTotals::bytes);
    }
  }

  private static String name(EventKind kind) {
    return switch (kind) {
      case TASK -> "task";
      case COPY -> "copy";
      case SPILL -> "spill";
      case READ_BACK -> "readBack";
      case READ -> "readAhead";
      case FETCH -> "fetch";
      case SERVE -> "serve";
      case MERGE -> "merge";
      case WAIT -> "wait";
    };
  }

  private static void add(
      MetricRegistry registry, String name, EventKind kind, ToLongFunction<EventTotals> value) {
    Gauge<Long> gauge = () -> value.applyAsLong(ThreadRecords.totals(kind));
    registry.register(name, gauge);
  }
}
