package io.ariadne.it.sql;

import io.ariadne.shuffle.AriadneShuffleManager;
import java.util.Map;

/** TPC-H with exchanges whose map outputs stay in memory, by Ariadne's shuffle manager. */
class KeptTpchSmokeIT extends TpchSmokeIT {
  @Override
  Map<String, String> settings() {
    return Map.of("spark.shuffle.manager", AriadneShuffleManager.class.getName());
  }
}
