package io.ariadne.it.sql;

import java.util.Map;

/** Tests aggregations on a simulated device. */
class SimulatedAggregateIT extends AggregateIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.ariadne.backend", "simulated");
  }
}
