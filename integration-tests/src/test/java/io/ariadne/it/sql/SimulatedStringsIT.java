package io.ariadne.it.sql;

import java.util.Map;

/** Tests string functions on a simulated device. */
class SimulatedStringsIT extends StringsIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.ariadne.backend", "simulated");
  }
}
