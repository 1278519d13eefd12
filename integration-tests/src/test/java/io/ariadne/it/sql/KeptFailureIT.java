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

/** What becomes of an exchange whose kept map outputs are lost: their map tasks run again. */
class KeptFailureIT extends AbstractDifferentialIT {
  /** More shuffles, and more attempts of tasks, than a test begins. */
  private static final int MOST_SHUFFLES = 1000;

  private static final long MOST_ATTEMPTS = 5000;

  /** The output of an attempt. */
  private record Output(int shuffleId, long mapId) {}

  @Override
  Map<String, String> settings() {
    return with(super.settings(), "spark.shuffle.manager", AriadneShuffleManager.class.getName());
  }

  @Test
  void testLostOutputsAreComputedAgain() {
    session.conf().set("spark.sql.adaptive.enabled", "false");
    Dataset<Row> query = session.sql("select id % 997 k, max(c1) from edge group by id % 997");
    List<String> expected = rows(query);
    List<Output> first = outputs();
    assertTrue(first.size() > 1);
    Output lost = first.get(first.size() - 1);
    ProcessRuntime.get().mapOutputs().forget(lost.shuffleId(), lost.mapId());
    assertEquals(expected, rows(query), "one is lost");
    List<Output> second = outputs();
    assertTrue(second.stream().anyMatch(output -> !first.contains(output)), "no task ran again");
    forgetAll();
    assertEquals(expected, rows(query), "all are lost");
    assertTrue(outputs().size() > 1);
    // Spark takes this process for lost and does not tell it what is to be removed, nor its files.
    forgetAll();
  }

  /** Rows dealt out in turns come once each, also when what reducers have read is lost. */
  @Test
  void testTurnsAreDealtOutAgain() {
    session.conf().set("spark.sql.adaptive.enabled", "false");
    Dataset<Row> query = session.sql(ExchangeFailureIT.TURNS);
    List<String> expected = rows(query);
    List<Output> first = outputs();
    List<String> read = new ArrayList<>();
    // A job for each partition, when its rows are asked for.
    for (Iterator<Row> each = query.toLocalIterator(); each.hasNext(); ) {
      read.add(each.next().toString());
      if (read.size() == expected.size() / 2) {
        forgetAll();
      }
    }
    assertEquals(expected, read.stream().sorted().toList());
    assertTrue(outputs().stream().anyMatch(output -> !first.contains(output)), "no task ran again");
    forgetAll();
  }

  private static void forgetAll() {
    MapOutputs kept = ProcessRuntime.get().mapOutputs();
    outputs().forEach(output -> kept.forget(output.shuffleId(), output.mapId()));
    assertEquals(0, kept.count());
  }

  private static List<Output> outputs() {
    MapOutputs kept = ProcessRuntime.get().mapOutputs();
    List<Output> found = new ArrayList<>();
    for (int shuffle = 0; shuffle < MOST_SHUFFLES; shuffle++) {
      for (long map = 0; map < MOST_ATTEMPTS; map++) {
        if (kept.has(shuffle, map)) {
          found.add(new Output(shuffle, map));
        }
      }
    }
    return found;
  }

  private static List<String> rows(Dataset<Row> query) {
    return query.collectAsList().stream().map(Row::toString).sorted().toList();
  }
}
