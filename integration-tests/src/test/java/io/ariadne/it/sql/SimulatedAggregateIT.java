package io.ariadne.it.sql;

import java.util.Map;

/** Aggregations where columns go to a device, which is simulated. */
class SimulatedAggregateIT extends AggregateIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.ariadne.backend", "simulated");
  }
}
