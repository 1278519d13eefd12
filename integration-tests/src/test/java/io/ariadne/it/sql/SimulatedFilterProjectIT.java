package io.ariadne.it.sql;

import java.util.Map;

/** Tests filters and projections on a simulated device. */
class SimulatedFilterProjectIT extends FilterProjectIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.ariadne.backend", "simulated");
  }
}
