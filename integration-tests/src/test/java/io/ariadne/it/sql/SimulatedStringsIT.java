package io.ariadne.it.sql;

import java.util.Map;

/** String functions where columns go to a device, which is simulated. */
class SimulatedStringsIT extends StringsIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.ariadne.backend", "simulated");
  }
}
