package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.AriadneShuffleManager;
import io.ariadne.shuffle.catalog.MapOutputs;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Loses map outputs in memory: their map tasks run again. */
class InMemoryShuffleFailureIT extends AbstractDifferentialIT {
  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.shuffle.manager", AriadneShuffleManager.class.getName());
  }

  @Test
  void lostOutputsAreComputedAgain() {
    session.conf().set("spark.sql.adaptive.enabled", "false");
    Dataset<Row> query = session.sql("select id % 997 k, max(c1) from edge group by id % 997");
    List<String> expected = RowTexts.sorted(query);
    List<InMemoryOutputs.Output> first = InMemoryOutputs.all();
    assertTrue(first.size() > 1);
    InMemoryOutputs.Output lost = first.get(first.size() - 1);
    MapOutputs.of(ProcessRuntime.get()).forget(lost.shuffleId(), lost.mapId());
    assertEquals(expected, RowTexts.sorted(query), "one is lost");
    List<InMemoryOutputs.Output> second = InMemoryOutputs.all();
    assertTrue(second.stream().anyMatch(output -> !first.contains(output)), "no task ran again");
    InMemoryOutputs.forgetAll();
    assertEquals(expected, RowTexts.sorted(query), "all are lost");
    assertTrue(InMemoryOutputs.all().size() > 1);
    // Spark takes this process for lost and does not tell it what is to be removed, nor its files.
    InMemoryOutputs.forgetAll();
  }

  /**
   * Each row of a round-robin exchange arrives once, even if outputs that reducers have read are
   * lost.
   */
  @Test
  void eachRowOfARoundRobinExchangeArrivesOnce() {
    session.conf().set("spark.sql.adaptive.enabled", "false");
    Dataset<Row> query = session.sql(ExchangeFailureIT.ROUND_ROBIN);
    List<String> expected = RowTexts.sorted(query);
    List<InMemoryOutputs.Output> first = InMemoryOutputs.all();
    List<String> read = new ArrayList<>();
    // A job for each partition, when its rows are asked for.
    for (Iterator<Row> each = query.toLocalIterator(); each.hasNext(); ) {
      read.add(each.next().toString());
      if (read.size() == expected.size() / 2) {
        InMemoryOutputs.forgetAll();
      }
    }
    assertEquals(expected, read.stream().sorted().toList());
    assertTrue(
        InMemoryOutputs.all().stream().anyMatch(output -> !first.contains(output)),
        "no task ran again");
    InMemoryOutputs.forgetAll();
  }
}
