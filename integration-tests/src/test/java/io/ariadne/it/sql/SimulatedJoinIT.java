package io.ariadne.it.sql;

import java.util.Map;

/** Joins where columns go to a device, which is simulated. */
class SimulatedJoinIT extends JoinIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.ariadne.backend", "simulated");
  }
}
