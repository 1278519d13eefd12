package io.ariadne.it.sql;

import java.util.Map;

/** Filters and projections where columns go to a device, which is simulated. */
class SimulatedFilterProjectIT extends FilterProjectIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.ariadne.backend", "simulated");
  }
}
