package io.ariadne.benchmark.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TestShapingProxy {
  private static final long SEED = Long.getLong("ariadne.test.seed", new Random().nextLong());
  private static final int LENGTH = 300_000;

  private final byte[] object = new byte[LENGTH];
  private final List<String> hosts = new ArrayList<>();
  private HttpServer server;
  private ShapingProxy proxy;

  @BeforeEach
  void start() throws IOException {
    System.out.println("TestShapingProxy: -Dariadne.test.seed=" + SEED);
    new Random(SEED).nextBytes(object);
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.createContext("/", this::serve);
    server.start();
    proxy =
        ShapingProxy.start(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"));
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    server.stop(0);
  }

  /** Serves the object at every path; of a PUT returns the body; {@code ?chunked} in chunks. */
  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      synchronized (hosts) {
        hosts.add(exchange.getRequestHeaders().getFirst("Host"));
      }
      byte[] sent = exchange.getRequestBody().readAllBytes();
      byte[] body = exchange.getRequestMethod().equals("PUT") ? sent : object;
      boolean isChunked = "chunked".equals(exchange.getRequestURI().getQuery());
      exchange.getResponseHeaders().set("ETag", "\"0123\"");
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.getResponseHeaders().set("Content-Length", String.valueOf(LENGTH));
        exchange.sendResponseHeaders(200, -1);
      } else {
        exchange.sendResponseHeaders(200, isChunked ? 0 : body.length);
        exchange.getResponseBody().write(body);
      }
    }
  }

  private HttpURLConnection open(String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) proxy.endpoint().resolve(path).toURL().openConnection();
    connection.setReadTimeout(20_000);
    return connection;
  }

  private byte[] get(String path) throws IOException {
    return open(path).getInputStream().readAllBytes();
  }

  @Test
  void forwardsBodiesAndHeadersUnchanged() throws IOException {
    assertArrayEquals(object, get("/bucket/key"));
    assertArrayEquals(object, get("/bucket/key?chunked"));
    HttpURLConnection head = open("/bucket/key");
    head.setRequestMethod("HEAD");
    assertEquals(LENGTH, head.getContentLengthLong());
    HttpURLConnection put = open("/bucket/other");
    put.setRequestMethod("PUT");
    put.setDoOutput(true);
    put.setFixedLengthStreamingMode(LENGTH);
    put.getOutputStream().write(object);
    assertArrayEquals(object, put.getInputStream().readAllBytes());
    String host = proxy.endpoint().getAuthority();
    assertEquals(List.of(host, host, host, host), hosts, "Host is signed");
    StoreTraffic traffic = proxy.traffic();
    assertEquals(2, traffic.gets());
    assertEquals(1, traffic.heads());
    assertEquals(1, traffic.writes());
  }

  @Test
  void countsListingsApartFromObjects() throws IOException {
    get("/bucket?list-type=2&prefix=a%2Fb");
    get("/bucket/?list-type=2");
    get("/bucket/a/b");
    StoreTraffic traffic = trafficOf(LENGTH);
    assertEquals(2, traffic.lists());
    assertEquals(1, traffic.gets());
    assertEquals(LENGTH, traffic.bytes());
    assertEquals(0, traffic.since(traffic).requests());
  }

  /** Returns the traffic once so many bytes are counted: the client has them before that. */
  private StoreTraffic trafficOf(long bytes) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (proxy.traffic().bytes() < bytes && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    return proxy.traffic();
  }

  /** Lower bounds hold on a busy machine too. */
  @Test
  void holdsLatencyAndRates() throws Exception {
    proxy.shape(new StoreShape(150, 1_000_000, 0));
    long start = System.nanoTime();
    get("/bucket/key");
    assertTrue(millisSince(start) >= 150 + 300 - 1, "latency and the rate of a connection");
    proxy.shape(new StoreShape(0, 0, 1_000_000));
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      start = System.nanoTime();
      List<Future<byte[]>> gets = new ArrayList<>();
      for (String key : List.of("a", "b", "c")) {
        gets.add(threads.submit(() -> get("/bucket/" + key)));
      }
      for (Future<byte[]> get : gets) {
        assertArrayEquals(object, get.get());
      }
      assertTrue(millisSince(start) >= 900 - 26, "the rate of all connections");
    } finally {
      threads.shutdownNow();
    }
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  @Test
  void failsReadsOfOneObjectByItsRule() throws IOException {
    Map<StoreRule, Integer> statuses =
        Map.of(
            StoreRule.DENIED, 403,
            StoreRule.MISSING, 404,
            StoreRule.EXPIRED, 400,
            StoreRule.WRONG_REGION, 301,
            StoreRule.THROTTLED, 503,
            StoreRule.BROKEN, 500);
    for (Map.Entry<StoreRule, Integer> rule : statuses.entrySet()) {
      proxy.rule("bucket", "a b/c", rule.getKey());
      for (String method : List.of("GET", "HEAD")) {
        HttpURLConnection connection = open("/bucket/a%20b/c");
        connection.setInstanceFollowRedirects(false);
        connection.setRequestMethod(method);
        assertEquals(rule.getValue(), connection.getResponseCode(), rule.getKey() + " " + method);
        boolean isElsewhere = rule.getKey() == StoreRule.WRONG_REGION;
        assertEquals(
            isElsewhere ? StoreRule.OTHER_REGION : null,
            connection.getHeaderField("x-amz-bucket-region"));
      }
    }
    assertArrayEquals(object, get("/bucket/a%20b/d"));
    proxy.rule("bucket", "a b/c", null);
    assertArrayEquals(object, get("/bucket/a%20b/c"));
    assertEquals(2, proxy.traffic().faults().get("denied"));
  }

  @Test
  void changesAnObject() throws IOException {
    proxy.rule("bucket", "key", StoreRule.CHANGED);
    HttpURLConnection pinned = open("/bucket/key");
    pinned.setRequestProperty("If-Match", "\"0123\"");
    assertEquals(412, pinned.getResponseCode());
    HttpURLConnection unpinned = open("/bucket/key");
    assertEquals(200, unpinned.getResponseCode());
    assertNotEquals("\"0123\"", unpinned.getHeaderField("ETag"));
    assertArrayEquals(object, unpinned.getInputStream().readAllBytes());
  }

  @Test
  void cutsBodies() throws IOException {
    proxy.rule("bucket", "key", StoreRule.RESET);
    assertThrows(SocketException.class, () -> get("/bucket/key"));
    proxy.rule("bucket", "key", StoreRule.SHORT);
    assertTrue(get("/bucket/key").length < LENGTH, "HttpURLConnection takes the end for the end");
    proxy.rule("bucket", "key", StoreRule.STALLED);
    HttpURLConnection stalled = open("/bucket/key");
    stalled.setReadTimeout(300);
    assertThrows(SocketTimeoutException.class, () -> stalled.getInputStream().readAllBytes());
    stalled.disconnect();
    assertTrue(proxy.traffic().bytes() < 3L * LENGTH);
  }

  @Test
  void drawsTheSameFaultsAgain() throws IOException {
    StoreFaults faults = StoreFaults.parse("throttle=0.2,error=0.2,reset=0.2,short=0.1", SEED);
    List<String> first = outcomes(faults);
    proxy.close();
    proxy =
        ShapingProxy.start(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"));
    List<String> second = outcomes(faults);
    assertEquals(first, second);
    assertTrue(first.contains("ok") && first.stream().distinct().count() >= 3, first::toString);
    assertNotEquals(first, outcomes(new StoreFaults(faults.shares(), SEED + 1)));
  }

  private List<String> outcomes(StoreFaults faults) {
    proxy.faults(faults);
    List<String> outcomes = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      try {
        outcomes.add(Arrays.equals(object, get("/bucket/" + i % 20)) ? "ok" : "wrong");
      } catch (SocketException e) {
        outcomes.add("reset");
      } catch (IOException e) {
        outcomes.add(e.getMessage().replaceAll("for URL.*", ""));
      }
    }
    return outcomes;
  }

  @Test
  void refusesMalformedFaults() {
    for (String text : List.of("slow", "late=0.1", "slow=0", "slow=0.6,reset=0.6", "slow=x")) {
      assertThrows(IllegalArgumentException.class, () -> StoreFaults.parse(text, 1), text);
    }
    assertEquals(StoreFaults.NONE, StoreFaults.parse("none", 0));
    assertEquals("slow=0.1", StoreFaults.parse("slow=0.1", 0).text());
  }
}
