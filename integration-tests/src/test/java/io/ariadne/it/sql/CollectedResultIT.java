package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.ExplainMode;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Option;
import scala.runtime.AbstractFunction0;
import scala.runtime.AbstractFunction1;

/**
 * Tests plans whose rows one task computes if Spark's driver collects all of them. Every other
 * consumer gets as many partitions as Spark alone gives it, whatever was done with the same Dataset
 * before.
 */
class CollectedResultIT extends AbstractDifferentialIT {
  /** More files than an exchange of few rows may have. */
  private static final int FILES = 9;

  private static final int ROWS = 5000;

  private final AtomicInteger jobs = new AtomicInteger();
  private final AtomicInteger tasksOfLastStage = new AtomicInteger();

  /** Keeps Spark from coalescing the partitions of a little data. */
  @Override
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(LEGACY);
    settings.put("spark.sql.adaptive.advisoryPartitionSizeInBytes", "1b");
    settings.put("spark.sql.adaptive.coalescePartitions.minPartitionSize", "1b");
    return settings;
  }

  @BeforeAll
  void writeFiles() {
    writeView(
        "files",
        session.range(0, ROWS, 1, FILES).selectExpr("hash(id) % 1000 as k", "id as v").write());
  }

  @BeforeAll
  void countJobs() {
    session
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onJobStart(SparkListenerJobStart start) {
                if (isBroadcast(start.properties())) {
                  return;
                }
                jobs.incrementAndGet();
                start.stageInfos().foreach(new LastStage(tasksOfLastStage));
              }
            });
  }

  /** Jobs of broadcasts may start at any time. Spark marks them by description or by tag. */
  private static boolean isBroadcast(Properties job) {
    return Stream.of("spark.job.description", "spark.job.tags")
        .anyMatch(key -> job.getProperty(key, "").contains("broadcast exchange"));
  }

  /** Keeps the number of tasks of a job's last stage, whose number is the highest. */
  private static final class LastStage extends AbstractFunction1<StageInfo, Void> {
    private final AtomicInteger tasks;
    private int last = -1;

    LastStage(AtomicInteger tasks) {
      this.tasks = tasks;
    }

    @Override
    public Void apply(StageInfo stage) {
      if (stage.stageId() > last) {
        last = stage.stageId();
        tasks.set(stage.numTasks());
      }
      return null;
    }
  }

  /** Queries that one task computes for Spark's driver, but for those with subqueries. */
  private enum Query {
    SORT("select k, v from files where v >= 0 order by k, v"),
    JOIN("select /*+ broadcast(r) */ l.v, r.id from files l full join small r on l.k < r.i1"),
    JOIN_ABOVE_EXCHANGE(
        "select /*+ broadcast(r) */ l.k, l.n, r.id from (select k, count(*) n from files group by"
            + " k) l full join small r on l.k < r.i1"),
    SUBQUERY_ABOVE("select x, (select max(v) from files) from (select k x from files order by k)"),
    SUBQUERY_WITHIN("select v from files order by (select max(i1) from small) - k, v");

    private final String sql;

    Query(String sql) {
      this.sql = sql;
    }
  }

  /** Consumers that see partitions; each returns how many it saw. */
  private enum Consumer {
    ITERATOR {
      @Override
      int partitions(Dataset<Row> rows, CollectedResultIT test) throws TimeoutException {
        return test.iteratedPartitions(rows);
      }
    },
    RDD {
      @Override
      int partitions(Dataset<Row> rows, CollectedResultIT test) {
        return rows.rdd().getNumPartitions();
      }
    },
    INTERNAL_RDD {
      @Override
      int partitions(Dataset<Row> rows, CollectedResultIT test) {
        return rows.queryExecution().toRdd().getNumPartitions();
      }
    },
    RDD_WITHIN_AN_EXECUTION {
      @Override
      int partitions(Dataset<Row> rows, CollectedResultIT test) {
        return SQLExecution.withNewExecutionId(
            rows.queryExecution(),
            Option.apply("counted"),
            function(() -> rows.queryExecution().toRdd().getNumPartitions()));
      }
    },
    CHECKPOINT {
      @Override
      int partitions(Dataset<Row> rows, CollectedResultIT test) {
        return rows.localCheckpoint().rdd().getNumPartitions();
      }
    },
    CACHE {
      @Override
      int partitions(Dataset<Row> rows, CollectedResultIT test) {
        Dataset<Row> cached = rows.persist();
        try {
          cached.count();
          return cached.select("*").rdd().getNumPartitions();
        } finally {
          cached.unpersist(true);
        }
      }
    },
    FILES_WRITTEN {
      @Override
      int partitions(Dataset<Row> rows, CollectedResultIT test) {
        return writtenFiles(rows);
      }
    },
    FILES_WRITTEN_UNPLANNED {
      @Override
      int partitions(Dataset<Row> rows, CollectedResultIT test) {
        rows.sparkSession().conf().set("spark.sql.optimizer.plannedWrite.enabled", "false");
        try {
          return writtenFiles(rows);
        } finally {
          rows.sparkSession().conf().unset("spark.sql.optimizer.plannedWrite.enabled");
        }
      }
    };

    private static int writtenFiles(Dataset<Row> rows) {
      Path written = folder.resolve("written");
      rows.toDF(positions(rows)).write().mode("overwrite").parquet(written.toUri().toString());
      return written.toFile().listFiles((folder, name) -> name.startsWith("part-")).length;
    }

    /** Names that any file may have. */
    private static String[] positions(Dataset<Row> rows) {
      return IntStream.range(0, rows.columns().length)
          .mapToObj(i -> "c" + i)
          .toArray(String[]::new);
    }

    abstract int partitions(Dataset<Row> rows, CollectedResultIT test) throws TimeoutException;
  }

  @ParameterizedTest
  @CsvSource({
    "SORT,true",
    "JOIN,true",
    "JOIN,false",
    "JOIN_ABOVE_EXCHANGE,true",
    "JOIN_ABOVE_EXCHANGE,false",
    "SUBQUERY_ABOVE,true",
    "SUBQUERY_WITHIN,true"
  })
  void consumersOfPartitionsGetThoseOfSpark(Query query, String adaptive) throws TimeoutException {
    session.conf().set("spark.sql.adaptive.enabled", adaptive);
    try {
      for (Consumer consumer : Consumer.values()) {
        int sparks = withoutAriadne(() -> partitions(query, consumer));
        assertTrue(sparks > 1, consumer + " of Spark's: " + sparks);
        assertEquals(sparks, partitions(query, consumer), consumer + " first");
        assertEquals(sparks, partitionsAfterCollect(query, consumer), consumer + " after collect");
      }
    } finally {
      session.conf().unset("spark.sql.adaptive.enabled");
    }
  }

  /** One job, of one task, computes what is collected, also after another consumer's partitions. */
  @ParameterizedTest
  @EnumSource(names = {"SORT", "JOIN", "JOIN_ABOVE_EXCHANGE"})
  void driverGetsAllRowsOfOneTask(Query query) throws TimeoutException {
    List<String> expected =
        withoutAriadne(() -> rows(query, session.sql(query.sql).collectAsList()));
    Dataset<Row> rows = session.sql(query.sql);
    assertEquals(expected, rows(query, rows.collectAsList()));
    String plan = rows.queryExecution().executedPlan().toString();
    assertTrue(plan.contains("AriadneCollectedResult"), plan);
    List<Row> iterated = new ArrayList<>();
    rows.toLocalIterator().forEachRemaining(iterated::add);
    assertEquals(expected, rows(query, iterated));
    int before = startedJobs();
    assertEquals(expected, rows(query, rows.collectAsList()));
    assertEquals(before + 1, startedJobs());
    assertEquals(1, tasksOfLastStage.get());
    String explained = rows.queryExecution().explainString(ExplainMode.fromString("formatted"));
    assertTrue(explained.contains("AriadneCollectedResult"), explained);
  }

  /** Spark reads the partitioning and the metrics of a plan that it has executed. */
  @Test
  void cachedSortKeepsItsPartitioning() {
    assertEquals(withoutAriadne(this::exchangesAboveCache), exchangesAboveCache());
  }

  private long exchangesAboveCache() {
    Dataset<Row> cached = session.sql(Query.SORT.sql).persist();
    try {
      assertEquals(ROWS, cached.count());
      Dataset<Row> counts = cached.groupBy("k").count();
      counts.collectAsList();
      String plan = counts.queryExecution().executedPlan().toString();
      return Pattern.compile("hashpartitioning").matcher(plan).results().count();
    } finally {
      cached.unpersist(true);
    }
  }

  /** Spark computes the observed side twice, for pairs and for rows without one. */
  @Test
  void observationsAreThoseOfSpark() {
    for (boolean isCollected : new boolean[] {true, false}) {
      long sparks = withoutAriadne(() -> observedRows(isCollected));
      assertEquals(sparks, observedRows(isCollected), isCollected ? "collected" : "iterated");
    }
  }

  private long observedRows(boolean isCollected) {
    Observation observation = new Observation("rows");
    Dataset<Row> observed =
        session
            .table("files")
            .observe(observation, functions.count(functions.lit(1)).as("n"))
            .join(
                functions.broadcast(session.table("small")),
                new Column("k").lt(new Column("i1")),
                "full")
            .select("v", "id");
    if (isCollected) {
      observed.collectAsList();
    } else {
      observed.toLocalIterator().forEachRemaining(row -> {});
    }
    try {
      return (long) observation.get().apply("n");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The session may be disabled between a query's planning and its execution. */
  @Test
  void partitionsStayWhenTheSessionIsDisabledMeanwhile() {
    Dataset<Row> rows = session.sql(Query.SORT.sql);
    assertTrue(rows.queryExecution().executedPlan().toString().contains("OnePartition"));
    int partitions = withoutAriadne(() -> rows.queryExecution().toRdd().getNumPartitions());
    assertEquals(withoutAriadne(() -> partitions(Query.SORT, Consumer.INTERNAL_RDD)), partitions);
  }

  private int partitions(Query query, Consumer consumer) {
    return consume(session.sql(query.sql), consumer);
  }

  private int partitionsAfterCollect(Query query, Consumer consumer) {
    Dataset<Row> rows = session.sql(query.sql);
    rows.collectAsList();
    return consume(rows, consumer);
  }

  private int consume(Dataset<Row> rows, Consumer consumer) {
    try {
      return consumer.partitions(rows, this);
    } catch (TimeoutException e) {
      throw new AssertionError("Spark's listeners did not finish", e);
    }
  }

  private static <T> AbstractFunction0<T> function(Supplier<T> body) {
    return new AbstractFunction0<>() {
      @Override
      public T apply() {
        return body.get();
      }
    };
  }

  private <T> T withoutAriadne(Supplier<T> action) {
    session.conf().set("spark.ariadne.enabled", "false");
    try {
      return action.get();
    } finally {
      session.conf().unset("spark.ariadne.enabled");
    }
  }

  /** The iterator starts a job for each partition when it gets there. */
  private int iteratedPartitions(Dataset<Row> rows) throws TimeoutException {
    Iterator<Row> iterator = rows.toLocalIterator();
    iterator.next();
    int before = startedJobs();
    iterator.forEachRemaining(row -> {});
    return startedJobs() - before + 1;
  }

  private int startedJobs() throws TimeoutException {
    session.sparkContext().listenerBus().waitUntilEmpty();
    return jobs.get();
  }

  /** Returns rows as text: those of a join, whose order is not defined, sorted. */
  private static List<String> rows(Query query, List<Row> rows) {
    Stream<String> texts = rows.stream().map(Row::toString);
    return query == Query.SORT ? texts.toList() : texts.sorted().toList();
  }
}
