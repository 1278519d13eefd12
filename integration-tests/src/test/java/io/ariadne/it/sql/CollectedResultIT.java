package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.ExplainMode;
import org.apache.spark.sql.execution.SQLExecution;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Option;
import scala.runtime.AbstractFunction0;

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
                jobs.incrementAndGet();
              }
            });
  }

  /** Queries that one task computes for Spark's driver. */
  private enum Query {
    SORT("select k, v from files where v >= 0 order by k, v"),
    JOIN("select /*+ broadcast(r) */ l.v, r.id from files l full join small r on l.k < r.i1"),
    JOIN_ABOVE_EXCHANGE(
        "select /*+ broadcast(r) */ l.k, l.n, r.id from (select k, count(*) n from files group by"
            + " k) l full join small r on l.k < r.i1");

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
        Path written = folder.resolve("written");
        rows.write().mode("overwrite").parquet(written.toUri().toString());
        File[] parts = written.toFile().listFiles((folder, name) -> name.startsWith("part-"));
        return parts.length;
      }
    };

    abstract int partitions(Dataset<Row> rows, CollectedResultIT test) throws TimeoutException;
  }

  @ParameterizedTest
  @CsvSource({"SORT,true", "JOIN,true", "JOIN,false", "JOIN_ABOVE_EXCHANGE,true"})
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
  @CsvSource({"SORT,true", "JOIN,true", "JOIN,false", "JOIN_ABOVE_EXCHANGE,true"})
  void driverGetsAllRowsOfOneTask(Query query, String adaptive) throws TimeoutException {
    session.conf().set("spark.sql.adaptive.enabled", adaptive);
    try {
      List<String> expected = withoutAriadne(() -> rows(session.sql(query.sql).collectAsList()));
      Dataset<Row> rows = session.sql(query.sql);
      assertEquals(expected, rows(rows.collectAsList()));
      String plan = rows.queryExecution().executedPlan().toString();
      assertTrue(plan.contains("AriadneCollectedResult"), plan);
      List<Row> iterated = new ArrayList<>();
      rows.toLocalIterator().forEachRemaining(iterated::add);
      assertEquals(expected, rows(iterated));
      int before = startedJobs();
      assertEquals(expected, rows(rows.collectAsList()));
      assertEquals(before + 1, startedJobs());
      String explained = rows.queryExecution().explainString(ExplainMode.fromString("formatted"));
      assertTrue(explained.contains("AriadneCollectedResult"), explained);
    } finally {
      session.conf().unset("spark.sql.adaptive.enabled");
    }
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

  /** Returns rows as text in one order: that of a join is not defined. */
  private static List<String> rows(List<Row> rows) {
    return rows.stream().map(Row::toString).sorted().toList();
  }
}
