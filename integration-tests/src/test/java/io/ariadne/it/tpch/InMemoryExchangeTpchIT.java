package io.ariadne.it.tpch;

import io.ariadne.shuffle.AriadneShuffleManager;
import java.util.List;
import java.util.Map;

/** Runs TPC-H with map outputs in memory. */
class InMemoryExchangeTpchIT extends AbstractTpchIT {
  @Override
  Map<String, String> settings() {
    return Map.of("spark.shuffle.manager", AriadneShuffleManager.class.getName());
  }

  @Override
  List<TpchConfiguration> chosen() {
    return List.of(
        new TpchConfiguration(true, 200, false, true), new TpchConfiguration(false, 8, true, true));
  }
}
