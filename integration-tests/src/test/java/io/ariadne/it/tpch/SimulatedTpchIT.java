package io.ariadne.it.tpch;

import java.util.List;
import java.util.Map;

/** Runs TPC-H on a simulated device. */
class SimulatedTpchIT extends AbstractTpchIT {
  @Override
  Map<String, String> settings() {
    return Map.of(BACKEND, "simulated");
  }

  @Override
  List<TpchConfiguration> chosen() {
    return List.of(
        new TpchConfiguration(false, 200, true, true),
        new TpchConfiguration(false, 8, false, false));
  }
}
