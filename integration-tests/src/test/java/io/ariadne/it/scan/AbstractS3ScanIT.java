package io.ariadne.it.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.benchmark.store.LocalStore;
import io.ariadne.benchmark.store.StoreFault;
import io.ariadne.benchmark.store.StoreFaults;
import io.ariadne.benchmark.store.StoreRule;
import io.ariadne.benchmark.store.StoreShape;
import io.ariadne.benchmark.store.StoreTraffic;
import io.ariadne.it.fault.InjectedFaults;
import io.ariadne.it.sql.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Scans of tables in an S3 store, with and without faults of the store. A subclass says which
 * reader opens the files.
 */
abstract class AbstractS3ScanIT extends AbstractScanIT {
  private static final String TABLE = "objects";
  private static final List<String> QUERIES =
      List.of(
          "select * from objects",
          "select p, count(*), sum(id), min(text), max(amount) from objects where id % 5 < 2"
              + " group by p",
          "select text, amount from objects where p = 1 and id between 3000 and 3100");

  private LocalStore store;
  private CapturedLog log;
  private String bucket;

  /** Returns the name of the reader that opens the files, as the log says it. */
  abstract String reader();

  @Override
  Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(super.settings());
    Map<String, String> hadoop = new TreeMap<>(store.settings());
    hadoop.putAll(store.keySettings());
    // Patience is S3A's to test.
    hadoop.put("fs.s3a.attempts.maximum", "1");
    hadoop.put("fs.s3a.retry.limit", "4");
    hadoop.put("fs.s3a.retry.interval", "10ms");
    hadoop.put("fs.s3a.retry.throttle.limit", "4");
    hadoop.put("fs.s3a.retry.throttle.interval", "10ms");
    hadoop.forEach((name, value) -> settings.put("spark.hadoop." + name, value));
    return settings;
  }

  @BeforeAll
  @Override
  void start() {
    bucket = getClass().getSimpleName().toLowerCase(Locale.ROOT);
    try {
      store = LocalStore.start(folder.resolve("store"), folder.resolve("work"));
      store.createBucket(bucket);
    } catch (IOException e) {
      throw new AssertionError("the store did not start", e);
    }
    log = CapturedLog.ofThisProcess();
    super.start();
    java.nio.file.Path local = folder.resolve(TABLE);
    session
        .range(0, 6000, 1, 3)
        .selectExpr(
            "id",
            "if(id % 7 = 0, null, concat('value number ', id % 700)) as text",
            "cast(id as decimal(18, 2)) as amount",
            "id % 3 as p")
        .write()
        .option("parquet.block.size", "20000")
        .option("parquet.page.size", "2000")
        .partitionBy("p")
        .parquet(local.toUri().toString());
    upload(local);
    view(TABLE);
  }

  /** Spark's committer renames folders, which are files to s3proxy. */
  private void upload(java.nio.file.Path local) {
    Path table = new Path(address(TABLE));
    try (Stream<java.nio.file.Path> found = Files.walk(local)) {
      FileSystem files = table.getFileSystem(session.sparkContext().hadoopConfiguration());
      for (java.nio.file.Path file :
          found.filter(f -> f.toString().endsWith(".parquet")).toList()) {
        try (OutputStream stream =
            files.create(new Path(table, local.relativize(file).toString()))) {
          Files.copy(file, stream);
        }
      }
    } catch (IOException e) {
      throw new AssertionError("the table was not uploaded", e);
    }
  }

  @Override
  String address(String name) {
    return "s3a://" + bucket + "/tables/" + name;
  }

  @AfterEach
  void calm() {
    store.proxy().faults(StoreFaults.NONE);
    store.proxy().shape(StoreShape.UNLIMITED);
  }

  /** The store is last: the session still has its client. */
  @AfterAll
  @Override
  void stop() {
    super.stop();
    log.close();
    assertFalse(log.text().contains(store.keys().secretKey()), "the secret key is in the log");
    try {
      store.close();
    } catch (IOException e) {
      throw new AssertionError("the store did not stop", e);
    }
  }

  @Test
  void scansMatchSpark() {
    StoreTraffic before = store.proxy().traffic();
    QUERIES.forEach(this::check);
    assertTrue(store.proxy().traffic().since(before).gets() > 0, "no object was read");
    String line = "reads s3a://" + bucket + " by " + reader() + ":";
    assertTrue(log.text().contains(line), () -> "the log lacks: " + line);
  }

  @Test
  void distantStoreMatchesSpark() {
    store.proxy().shape(new StoreShape(20, 8_000_000, 120_000_000));
    check(QUERIES.get(1));
  }

  /** The answers are right, however often a read fails; the shares are high for so few reads. */
  @Test
  void answersSurviveFaults() {
    List<Outcome> expected = QUERIES.stream().map(this::withoutAriadne).toList();
    Map<StoreFault, Double> shares =
        Map.of(
            StoreFault.THROTTLE, 0.1,
            StoreFault.ERROR, 0.1,
            StoreFault.RESET, 0.05,
            StoreFault.SHORT, 0.05,
            StoreFault.SLOW, 0.02);
    store.proxy().faults(new StoreFaults(shares, random.nextLong()));
    StoreTraffic before = store.proxy().traffic();
    for (int i = 0; i < QUERIES.size(); i++) {
      Outcome actual = Outcome.of(session, QUERIES.get(i));
      String query = QUERIES.get(i);
      assertTrue(
          expected.get(i).sameAs(actual), () -> query + "\n" + actual + "\n" + actual.failure());
      requireScan(query, actual);
    }
    Map<String, Long> faults = store.proxy().traffic().since(before).faults();
    assertFalse(faults.isEmpty(), "nothing failed");
    // Few repetitions are allowed here: where all fail, Spark makes the task again.
    InjectedFaults.requireNoneFailedBut(
        failure -> messages(failure).contains(bucket) && isOfClient(failure));
  }

  /** Returns whether the S3 client, or the connection under it, has failed. */
  private static boolean isOfClient(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String name = root.getClass().getName();
    return root instanceof IOException
        || name.startsWith("com.amazonaws.")
        || name.startsWith("software.amazon.");
  }

  private Outcome withoutAriadne(String sql) {
    session.conf().set("spark.ariadne.enabled", "false");
    try {
      return Outcome.of(session, sql);
    } finally {
      session.conf().unset("spark.ariadne.enabled");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = StoreRule.class,
      names = {"DENIED", "MISSING", "CHANGED", "EXPIRED", "WRONG_REGION", "THROTTLED", "BROKEN"})
  void failureOfAnObjectNamesIt(StoreRule rule) throws IOException {
    List<String> keys = keys();
    String key = keys.get(random.nextInt(keys.size()));
    InjectedFaults.watch(session.sparkContext());
    store.proxy().rule(bucket, key, rule);
    try {
      for (String messages : failuresOf(QUERIES.get(0), rule == StoreRule.CHANGED)) {
        assertTrue(messages.contains(bucket) && messages.contains(key), messages);
        assertFalse(messages.contains(store.keys().secretKey()), "the secret key is in a message");
      }
    } finally {
      store.proxy().rule(bucket, key, null);
    }
    if (rule == StoreRule.CHANGED) {
      // The object changes once more, and a task may have to notice it.
      Outcome.of(session, QUERIES.get(0));
      InjectedFaults.requireNoneFailedBut(failure -> messages(failure).contains(key));
    }
    check(QUERIES.get(0));
  }

  /**
   * Returns the messages of a query's failure, or else of its failed tasks, at least one.
   *
   * @param mayRecover whether the next attempt of a task may succeed: it reads a replaced object as
   *     another file, and a small one by one request, which is of one version
   */
  private List<String> failuresOf(String sql, boolean mayRecover) {
    Outcome outcome = Outcome.of(session, sql);
    List<String> failures = new ArrayList<>();
    if (outcome.failure() != null) {
      failures.add(messages(outcome.failure()));
    } else {
      InjectedFaults.requireNoneFailedBut(failure -> mayRecover && failures.add(messages(failure)));
    }
    assertFalse(failures.isEmpty(), () -> "nothing failed: " + outcome.rows().size() + " rows");
    return failures;
  }

  /** Returns the keys of the table's files. */
  private List<String> keys() throws IOException {
    List<String> keys = new ArrayList<>();
    Path table = new Path(address(TABLE));
    FileSystem files = table.getFileSystem(session.sparkContext().hadoopConfiguration());
    for (FileStatus partition : files.listStatus(table, path -> path.getName().startsWith("p="))) {
      for (FileStatus file : files.listStatus(partition.getPath())) {
        keys.add(file.getPath().toUri().getPath().substring(1));
      }
    }
    assertEquals(9, keys.size(), keys::toString);
    keys.sort(null);
    return keys;
  }

  private static String messages(Throwable failure) {
    StringBuilder messages = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      messages.append(cause).append('\n');
    }
    return messages.toString();
  }

  @Test
  void secretKeyIsInNoLog() {
    check(QUERIES.get(1));
    String text = log.text();
    assertTrue(text.contains(bucket), "the log has nothing of the store");
    assertFalse(text.contains(store.keys().secretKey()), "the secret key is in the log");
  }
}
