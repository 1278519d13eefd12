package io.ariadne.io.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.ReadCounters;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.S3AFileSystem;

/** A server, and S3A's file system configured for it. */
final class S3Fixture implements AutoCloseable {
  /** Connections of S3A's client. */
  static final int CONNECTIONS = 8;

  /** Limits of time that tests can wait for. */
  static final Timing TIMING =
      new Timing(
          Duration.ofSeconds(20),
          Duration.ofMillis(300),
          Duration.ofMillis(2),
          Duration.ofMillis(20),
          Duration.ofMillis(1),
          Duration.ofSeconds(30),
          4,
          6);

  private static final long TIMEOUT_NANOS = 20_000_000_000L;

  final StubS3 store = new StubS3();
  final ReadCounters counters = ReadCounters.create();
  final S3Store shared = S3Store.create(CONNECTIONS, TIMING);
  final S3AFileSystem files;

  S3Fixture() throws IOException {
    this(Map.of());
  }

  S3Fixture(Map<String, String> settings) throws IOException {
    files = files(store, settings);
  }

  /** Creates a file system of a server. */
  static S3AFileSystem files(StubS3 store, Map<String, String> settings) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set("hadoop.tmp.dir", System.getProperty("java.io.tmpdir"));
    conf.set("fs.s3a.endpoint", "http://127.0.0.1:" + store.port());
    conf.set("fs.s3a.endpoint.region", "eu-central-1");
    conf.set("fs.s3a.path.style.access", "true");
    conf.set("fs.s3a.connection.ssl.enabled", "false");
    conf.set("fs.s3a.access.key", StubS3.ACCESS_KEY);
    conf.set("fs.s3a.secret.key", StubS3.SECRET_KEY);
    conf.setInt("fs.s3a.connection.maximum", CONNECTIONS);
    settings.forEach(conf::set);
    S3AFileSystem files = new S3AFileSystem();
    files.initialize(URI.create("s3a://" + StubS3.BUCKET), conf);
    return files;
  }

  static URI address(String key) {
    return URI.create("s3a://" + StubS3.BUCKET + "/" + key);
  }

  OpenRequest request(String key, long length) {
    return new OpenRequest(address(key), length, OpenRequest.UNKNOWN, null, files, counters);
  }

  ByteRangeReader open(String key, long length) throws IOException {
    return S3ObjectReader.open(files, shared, request(key, length));
  }

  /** Waits until something is so. */
  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TIMEOUT_NANOS;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "timeout: " + what);
      Thread.sleep(1);
    }
  }

  /** Checks that no request is left, and that the server has refused none. */
  void assertIdle() throws InterruptedException {
    await("requests end", () -> shared.gate().running() == 0);
    assertEquals(List.of(), store.errors());
  }

  @Override
  public void close() throws IOException {
    files.close();
    store.close();
  }
}
