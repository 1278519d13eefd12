package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.ShuffleHandle;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Repeats {@link ExchangeIT} with Ariadne's shuffle manager, which keeps map outputs in memory. */
class InMemoryExchangeIT extends ExchangeIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.shuffle.manager", AriadneShuffleManager.class.getName());
  }

  /** Map outputs are in memory, can be read again, and go when Spark has no use for them. */
  @Test
  void mapOutputsStayInMemoryAndAreReadAgain() {
    assertEquals(AriadneShuffleManager.class, SparkEnv.get().shuffleManager().getClass());
    session.conf().set("spark.sql.adaptive.enabled", "false");
    Dataset<Row> query = session.sql("select id % 997 k, max(c1) from edge group by id % 997");
    List<String> first = RowTexts.sorted(query);
    int outputs = MapOutputs.of(ProcessRuntime.get()).count();
    assertTrue(outputs > 0);
    assertTrue(MapOutputs.of(ProcessRuntime.get()).allocatedBytes() > 0);
    assertEquals(first, RowTexts.sorted(query));
    assertEquals(outputs, MapOutputs.of(ProcessRuntime.get()).count(), "map tasks ran again");
  }

  /** The writer is always Ariadne's. */
  @Override
  void requireWriter(ShuffleHandle handle, String expected, boolean spills, TaskSums sums) {
    assertEquals("InMemoryShuffleHandle", handle.getClass().getSimpleName());
  }
}
