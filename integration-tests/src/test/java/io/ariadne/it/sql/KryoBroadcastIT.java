package io.ariadne.it.sql;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Broadcasts of columns that Kryo serializes. */
class KryoBroadcastIT extends AbstractJoinIT {
  @Override
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(super.settings());
    settings.put("spark.serializer", "org.apache.spark.serializer.KryoSerializer");
    return settings;
  }

  @Test
  void joinsMatchSpark() {
    for (String on : List.of("l.l1 = r.l1", "l.c1 = r.c1")) {
      String sql = counted("inner", "broadcast(r)", on);
      Coverage both = Coverage.of(BroadcastIT.NAME, "AriadneHashJoin");
      differential.check(sql, BroadcastIT.ours("true"), both);
      differential.check(sql, BroadcastIT.sparks("true", "true"), BroadcastIT.BROADCAST);
    }
    String loop = counted("inner", "broadcast(r)", "l.i1 < r.i1 and l.c1 > r.c1");
    differential.check(
        loop, BroadcastIT.ours("true"), Coverage.of(BroadcastIT.NAME, "AriadneHashJoin"));
    differential.check(loop, BroadcastIT.withoutLoops("true", "true"), BroadcastIT.BROADCAST);
  }
}
