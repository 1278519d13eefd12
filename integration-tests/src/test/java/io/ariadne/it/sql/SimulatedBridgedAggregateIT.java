package io.ariadne.it.sql;

import java.util.Map;

/** Spark's aggregates in our groups where columns go to a device, which is simulated. */
class SimulatedBridgedAggregateIT extends BridgedAggregateIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.ariadne.backend", "simulated");
  }
}
