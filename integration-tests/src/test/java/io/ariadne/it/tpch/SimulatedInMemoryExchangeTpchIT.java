package io.ariadne.it.tpch;

import io.ariadne.shuffle.AriadneShuffleManager;
import java.util.List;
import java.util.Map;

/** Runs TPC-H on a simulated device, with map outputs in memory. */
class SimulatedInMemoryExchangeTpchIT extends AbstractTpchIT {
  @Override
  Map<String, String> settings() {
    return Map.of(
        BACKEND, "simulated", "spark.shuffle.manager", AriadneShuffleManager.class.getName());
  }

  @Override
  List<TpchConfiguration> chosen() {
    return List.of(
        new TpchConfiguration(true, 200, true, false),
        new TpchConfiguration(true, 1, false, false));
  }
}
