package io.ariadne.it.tpch;

import java.util.List;
import java.util.Map;

/** Runs TPC-H on the CPU, with Spark's shuffle manager. */
class TpchIT extends AbstractTpchIT {
  @Override
  Map<String, String> settings() {
    return Map.of();
  }

  @Override
  List<TpchConfiguration> chosen() {
    return List.of(
        new TpchConfiguration(true, 8, true, false), new TpchConfiguration(false, 1, true, true));
  }
}
