package io.ariadne.it.sql;

import java.util.LinkedHashMap;
import java.util.Map;

/** Broadcasts that Kryo serializes. */
class KryoBroadcastIT extends AbstractBroadcastIT {
  @Override
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(super.settings());
    settings.put("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    return settings;
  }
}
