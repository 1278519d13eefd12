package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.rules.ExecutedPlan;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that actions on Spark's driver run as many jobs as with Spark alone. */
class ActionJobsIT extends AbstractDifferentialIT {
  private static final List<String> QUERIES =
      List.of(
          "select id, c1 from edge where i1 > 3",
          "select g, count(*), max(c1) from edge group by g",
          "select /*+ broadcast(b) */ a.id, b.c1 from edge a join small b on a.g = b.g",
          "select /*+ merge(b) */ a.id, b.c1 from edge a join single b on a.id = b.id");

  private final AtomicInteger jobs = new AtomicInteger();

  /** What is done with a query's rows. */
  private record Action(String name, Consumer<Dataset<Row>> run) {}

  private static final List<Action> ACTIONS =
      List.of(
          new Action("collect", Dataset::collect),
          new Action("take", rows -> rows.take(5)),
          new Action("take of many", rows -> rows.take(100_000)),
          new Action("toLocalIterator", ActionJobsIT::readAll));

  private static void readAll(Dataset<Row> rows) {
    List<Row> all = new ArrayList<>();
    for (Iterator<Row> each = rows.toLocalIterator(); each.hasNext(); ) {
      all.add(each.next());
    }
    assertFalse(all.isEmpty());
  }

  @BeforeAll
  void listen() {
    session
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onJobStart(SparkListenerJobStart start) {
                jobs.incrementAndGet();
              }
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void actionsRunAsManyJobsAsWithSpark(String adaptive) throws TimeoutException {
    session.conf().set("spark.sql.adaptive.enabled", adaptive);
    try {
      for (String query : QUERIES) {
        for (Action action : ACTIONS) {
          int sparks = jobs(query, action, false);
          assertEquals(sparks, jobs(query, action, true), action.name() + ": " + query);
        }
      }
    } finally {
      session.conf().unset("spark.sql.adaptive.enabled");
    }
  }

  /** Returns how many jobs an action starts. */
  private int jobs(String query, Action action, boolean isOurs) throws TimeoutException {
    session.conf().set("spark.ariadne.enabled", isOurs);
    try {
      session.sparkContext().listenerBus().waitUntilEmpty();
      int before = jobs.get();
      Dataset<Row> rows = session.sql(query);
      action.run().accept(rows);
      session.sparkContext().listenerBus().waitUntilEmpty();
      boolean isOfItsOwnPlan = !action.name().startsWith("take");
      if (isOfItsOwnPlan) {
        ExecutedPlan plan = ExecutedPlan.of(rows.queryExecution().executedPlan());
        assertEquals(isOurs, !plan.nodes().isEmpty(), query);
      }
      return jobs.get() - before;
    } finally {
      session.conf().unset("spark.ariadne.enabled");
    }
  }
}
