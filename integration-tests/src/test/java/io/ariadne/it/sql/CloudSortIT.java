package io.ariadne.it.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.cloudsort.CheckResult;
import io.ariadne.benchmark.cloudsort.SortInput;
import io.ariadne.benchmark.cloudsort.SortRecords;
import io.ariadne.benchmark.engine.DirectCommitProtocol;
import io.ariadne.benchmark.store.LocalStore;
import io.ariadne.benchmark.store.StoreTraffic;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The sort of {@code bench cloudsort}: records from an S3 store, sorted, and back to the store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CloudSortIT {
  private static final String ROOT = "s3a://cloudsort/";
  private static final long COUNT = 100_000;

  @TempDir static java.nio.file.Path folder;
  private LocalStore store;
  private FileSystem files;
  private SortInput input;
  private SparkSession session;

  @BeforeAll
  void start() throws IOException {
    store = LocalStore.start(folder.resolve("store"), folder.resolve("work"));
    store.createBucket("cloudsort");
    Map<String, String> hadoop = new TreeMap<>(store.settings());
    hadoop.putAll(store.keySettings());
    Configuration configuration = new Configuration();
    hadoop.forEach(configuration::set);
    files = FileSystem.newInstance(new Path(ROOT).toUri(), configuration);
    input = new SortInput(files, new Path(ROOT + "input"), new SortRecords(1), COUNT);
    input.generate(2);
    Map<String, String> settings = new TreeMap<>();
    hadoop.forEach((name, value) -> settings.put("spark.hadoop." + name, value));
    settings.put("spark.shuffle.manager", "io.ariadne.shuffle.AriadneShuffleManager");
    settings.put("spark.sql.sources.commitProtocolClass", DirectCommitProtocol.class.getName());
    // The plan before the run is that of the run, and no partitions are joined.
    settings.put("spark.sql.adaptive.enabled", "false");
    session = TestingSessions.start(settings);
    session.read().parquet(input.address()).createOrReplaceTempView("records");
  }

  @AfterAll
  void stop() throws IOException {
    TestingSessions.stop(session);
    files.close();
    store.close();
  }

  @Test
  void filesAreSorted() throws IOException {
    StoreTraffic before = store.proxy().traffic();
    Dataset<Row> sorted = session.sql("select key, payload from records order by key");
    String plan = sorted.queryExecution().executedPlan().toString();
    assertTrue(plan.contains("AriadneSort"), plan);
    sorted.write().option("compression", "uncompressed").parquet(ROOT + "sorted");
    StoreTraffic traffic = store.proxy().traffic().since(before);
    assertTrue(traffic.writtenBytes() > input.recordBytes(), traffic::toString);
    CheckResult result = input.check().check(files, new Path(ROOT + "sorted"), 2);
    assertEquals("", String.join("; ", result.messages()));
    assertEquals(3, result.files());
    assertEquals(COUNT, result.records());
  }

  @Test
  void unsortedFilesAreFound() throws IOException {
    session.sql("select key, payload from records").write().parquet(ROOT + "unsorted");
    CheckResult result = input.check().check(files, new Path(ROOT + "unsorted"), 2);
    assertEquals(COUNT, result.records());
    assertNotEquals(0, result.faults());
  }

  @Test
  void failedWriteLeavesNoFiles() throws IOException {
    Dataset<Row> failing =
        session.sql(
            "select key, if(hex(key) > 'F0', raise_error('enough'), payload) as payload"
                + " from records order by key");
    Path output = new Path(ROOT + "failed");
    assertThrows(Exception.class, () -> failing.write().parquet(output.toString()));
    assertFalse(files.exists(output), "a file is left");
  }
}
