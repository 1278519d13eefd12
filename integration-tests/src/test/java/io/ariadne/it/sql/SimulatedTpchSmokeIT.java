package io.ariadne.it.sql;

import java.util.Map;

/** TPC-H where columns go to a device, which is simulated. */
class SimulatedTpchSmokeIT extends TpchSmokeIT {
  @Override
  Map<String, String> settings() {
    return Map.of("spark.ariadne.backend", "simulated");
  }
}
