package io.ariadne.io.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.PendingRead;
import io.ariadne.io.s3.StubS3.Answer;
import io.ariadne.io.s3.StubS3.Ask;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** What a reader does when the store or the network fails. */
class TestS3Faults extends AbstractS3Test {
  private <T extends Throwable> T assertFails(Class<T> type) throws IOException {
    try (ByteRangeReader reader = open()) {
      T failure = assertThrows(type, () -> reader.read(0, target, 0, LENGTH));
      String message = failure.getMessage();
      assertTrue(message.contains("s3a://bucket/folder/object"), message);
      return failure;
    }
  }

  @Test
  void repeatsRequestsThatServersFail() throws Exception {
    first(
        StubS3.error(500, "InternalError"),
        StubS3.error(502, "BadGateway"),
        StubS3.error(503, "SlowDown"),
        StubS3.error(504, "GatewayTimeout"));
    readAndCompare();
    assertEquals(5, s3.store.asks().size());
    assertEquals(5, s3.counters.requests().sum());
    assertEquals(4, s3.counters.retries().sum());
    assertEquals(1, s3.counters.throttled().sum());
    assertEquals(LENGTH, s3.counters.bytes().sum());
  }

  @Test
  void repeatsRequestsWithoutAnswer() throws Exception {
    first(StubS3.noAnswer(true), StubS3.noAnswer(false));
    readAndCompare();
    assertEquals(3, s3.counters.requests().sum());
  }

  @Test
  void repeatsRequestsWithoutHeadersInTime() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    first(StubS3.late(late), StubS3.late(late));
    Timing timing =
        new Timing(
            Duration.ofMillis(200),
            Duration.ofSeconds(20),
            Duration.ofMillis(2),
            Duration.ofMillis(20),
            Duration.ofSeconds(20),
            Duration.ofSeconds(30),
            4,
            4);
    S3Store hasty = S3Store.create(1, timing);
    OpenRequest request = s3.request(KEY, LENGTH);
    try (ByteRangeReader reader = S3ObjectReader.open(s3.files, hasty, request)) {
      reader.read(0, target, 0, LENGTH);
    }
    assertBytes(0, LENGTH);
    late.countDown();
    assertEquals(2, s3.counters.retries().sum());
    assertEquals(0, s3.counters.throttled().sum());
    assertEquals(0, hasty.gate().running());
  }

  @Test
  void repeatsHead() throws Exception {
    first(StubS3.error(503, "SlowDown"), StubS3.noAnswer(true), StubS3.error(500, "InternalError"));
    try (ByteRangeReader reader = s3.open(KEY, OpenRequest.UNKNOWN)) {
      assertEquals(LENGTH, reader.lengthInBytes());
      assertEquals("\"v1\"", reader.version());
    }
    assertEquals(4, s3.counters.requests().sum());
    assertEquals(3, s3.counters.retries().sum());
    assertEquals(1, s3.counters.throttled().sum());
  }

  @Test
  void resumesAtTheFirstMissingByte() throws Exception {
    first(StubS3.cut(CUT, false), StubS3.cut(CUT, false));
    readAndCompare();
    List<Ask> gets = s3.store.gets();
    assertEquals(3, gets.size());
    assertEquals(CUT, gets.get(1).first());
    assertEquals(2 * CUT, gets.get(2).first());
    assertEquals("\"v1\"", gets.get(1).headers().get("if-match"));
    assertEquals(LENGTH, s3.counters.bytes().sum());
  }

  @Test
  void resumesAfterReset() throws Exception {
    first(StubS3.cut(CUT, true));
    readAndCompare();
    assertEquals(LENGTH, s3.counters.bytes().sum());
    assertEquals(1, s3.counters.retries().sum());
  }

  @Test
  void resumesAfterSilence() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    first(StubS3.stall(CUT, end));
    readAndCompare();
    end.countDown();
    assertEquals(CUT, s3.store.gets().get(1).first());
  }

  @Test
  void resumesMoreOftenThanItRepeats() throws Exception {
    byte[] large = new byte[4_000_000];
    s3.store.put("large", large, "\"l\"");
    s3.store.script(
        ask -> ask.last() - ask.first() > 300_000 ? StubS3.cut(300_000, false) : Answer.NORMAL);
    try (MemoryBuffer room = memory.allocator().allocate(large.length);
        ByteRangeReader reader = s3.open("large", large.length)) {
      reader.read(0, room, 0, 3_000_000);
    }
    assertTrue(s3.counters.retries().sum() > S3Fixture.TIMING.retries());
  }

  @Test
  void checksTheRangeOfAnswers() throws Exception {
    Answer wrong = StubS3.withHeader("Content-Range", "bytes 1-" + LENGTH + "/" + LENGTH);
    first(wrong, wrong);
    readAndCompare();
    assertEquals(2, s3.counters.retries().sum());
    always(wrong);
    assertTrue(assertFails(FileSystemException.class).getMessage().contains("range bytes 1-"));
  }

  @Test
  void endsAfterTooManyAttempts() throws Exception {
    always(StubS3.error(500, "InternalError"));
    FileSystemException e = assertFails(FileSystemException.class);
    assertInstanceOf(TimeoutException.class, e.getCause());
    assertTrue(e.getMessage().contains("5 attempts"), e.getMessage());
    assertTrue(e.getMessage().contains("500 InternalError"), e.getMessage());
    assertTrue(e.getMessage().contains("bytes 0 to 399999"), e.getMessage());
    assertTrue(e.getMessage().contains("request REQ"), e.getMessage());
    assertEquals(5, s3.store.asks().size());
  }

  @Test
  void sendsFewerRequestsToAStoreThatHasTooMany() throws Exception {
    always(StubS3.error(503, "SlowDown"));
    FileSystemException e = assertFails(FileSystemException.class);
    assertTrue(e.getMessage().contains("fs.s3a.retry.throttle.limit"), e.getMessage());
    assertEquals(7, s3.store.asks().size());
    assertEquals(7, s3.counters.throttled().sum());
    assertEquals(1, s3.shared.gate().limit());
  }

  @Test
  void refusalsAreFinal() throws Exception {
    Map<Answer, String> denials =
        Map.of(
            StubS3.error(403, "AccessDenied"), "s3:GetObject on arn:aws:s3:::bucket/folder/object,",
            StubS3.error(403, "RequestTimeTooSkewed"), "clocks",
            StubS3.error(401, "Unauthorized"), "s3:GetObject",
            StubS3.error(400, "ExpiredToken"), "expired",
            StubS3.error(403, "SignatureDoesNotMatch"), "fs.s3a.secret.key");
    int sent = 0;
    for (Map.Entry<Answer, String> denial : denials.entrySet()) {
      always(denial.getKey());
      AccessDeniedException e = assertFails(AccessDeniedException.class);
      assertTrue(e.getMessage().contains(denial.getValue()), e.getMessage());
      assertEquals(++sent, s3.store.asks().size());
    }
    always(StubS3.error(404, "NoSuchKey"));
    assertFails(FileNotFoundException.class);
    always(StubS3.error(403, "InvalidObjectState"));
    assertTrue(assertFails(FileSystemException.class).getMessage().contains("archived"));
    always(StubS3.error(400, "InvalidRequest"));
    assertFails(IOException.class);
    assertEquals(sent + 3, s3.store.asks().size());
    assertEquals(0, s3.counters.retries().sum());
  }

  @Test
  void namesTheRegion() throws Exception {
    try (S3Fixture own = new S3Fixture(Map.of("fs.s3a.cross.region.access.enabled", "false"))) {
      own.store.put(KEY, bytes, "\"v1\"");
      own.store.script(
          ask -> StubS3.error(301, "PermanentRedirect", "x-amz-bucket-region", "eu-west-9"));
      try (ByteRangeReader reader = own.open(KEY, LENGTH)) {
        FileSystemException e =
            assertThrows(FileSystemException.class, () -> reader.read(0, target, 0, 10));
        assertTrue(e.getMessage().contains("fs.s3a.endpoint.region to eu-west-9"), e.getMessage());
      }
      FileSystemException e =
          assertThrows(FileSystemException.class, () -> own.open(KEY, OpenRequest.UNKNOWN));
      assertTrue(e.getMessage().contains("fs.s3a.endpoint.region to eu-west-9"), e.getMessage());
    }
  }

  @Test
  void noticesAnotherObject() throws Exception {
    try (ByteRangeReader reader = open()) {
      assertEquals("", reader.version());
      reader.read(0, target, 0, 100);
      assertEquals("\"v1\"", reader.version());
      s3.store.put(KEY, new byte[LENGTH], "\"v2\"");
      assertChanged(reader);
      assertEquals("\"v1\"", s3.store.gets().get(1).headers().get("if-match"));
      assertBytes(0, 100);
    }
    assertEquals(2, s3.store.asks().size());
  }

  private void assertChanged(ByteRangeReader reader) {
    FileSystemException e =
        assertThrows(FileSystemException.class, () -> reader.read(0, target, 0, 10));
    assertTrue(e.getMessage().contains("changed while the query read it"), e.getMessage());
    assertTrue(e.getMessage().contains("s3a://bucket/folder/object"), e.getMessage());
    assertFalse(e.getCause() instanceof TimeoutException);
  }

  @Test
  void noticesAnotherObjectWithoutTheServer() throws Exception {
    Map<String, String> mode = Map.of("fs.s3a.change.detection.mode", "client");
    try (S3Fixture own = new S3Fixture(mode)) {
      own.store.put(KEY, bytes, "\"v1\"");
      try (ByteRangeReader reader = own.open(KEY, OpenRequest.UNKNOWN)) {
        own.store.put(KEY, bytes, "\"v2\"");
        assertChanged(reader);
        assertFalse(own.store.gets().get(0).headers().containsKey("if-match"));
      }
    }
  }

  @Test
  void noticesThatTheListingIsOld() throws Exception {
    for (int length : new int[] {10, LENGTH - 1, LENGTH + 1}) {
      try (ByteRangeReader reader = s3.open(KEY, length)) {
        assertChanged(reader);
      }
    }
    try (ByteRangeReader reader = s3.open(KEY, LENGTH + 100)) {
      FileSystemException e =
          assertThrows(FileSystemException.class, () -> reader.read(LENGTH + 50, target, 0, 10));
      assertTrue(e.getMessage().contains("shorter than its listing"), e.getMessage());
    }
  }

  @Test
  void readsStoresWithoutVersions() throws Exception {
    s3.store.put(KEY, bytes, null);
    readAndCompare();
    readAndCompare();
  }

  @Test
  void saysThatTheFileSystemIsClosed() throws Exception {
    S3Fixture own = new S3Fixture();
    try (ByteRangeReader reader = own.open(KEY, LENGTH)) {
      own.close();
      IOException e = assertThrows(IOException.class, () -> reader.read(0, target, 0, 10));
      assertTrue(e.getMessage().contains("s3a://bucket/folder/object"), e.getMessage());
      assertThrows(IOException.class, () -> own.open(KEY, LENGTH));
    }
  }

  @Test
  void survivesRandomFaults() throws Exception {
    long seed = Long.getLong(RandomBatches.SEED_PROPERTY, System.nanoTime());
    System.out.println("replay with -D" + RandomBatches.SEED_PROPERTY + "=" + seed);
    Random random = new Random(seed);
    CountDownLatch end = new CountDownLatch(1);
    List<Answer> faults =
        List.of(
            StubS3.error(500, "InternalError"),
            StubS3.error(503, "SlowDown"),
            StubS3.cut(20_000, true),
            StubS3.cut(20_000, false),
            StubS3.cut(0, true),
            StubS3.noAnswer(true),
            StubS3.withHeader("Content-Range", "bytes 7-8/" + LENGTH),
            StubS3.stall(10_000, end));
    s3.store.script(
        ask -> {
          synchronized (random) {
            boolean isFault = random.nextInt(5) == 0 && ask.last() - ask.first() > 20_000;
            return isFault ? faults.get(random.nextInt(faults.size())) : Answer.NORMAL;
          }
        });
    warmUp();
    try (ByteRangeReader reader = open()) {
      for (int i = 0; i < 12; i++) {
        target.fillZero();
        List<CompletableFuture<Void>> reads = new ArrayList<>();
        for (int from = 0; from < LENGTH; from += 50_000) {
          PendingRead read = reader.start(halves(from), null);
          if (i == 11) {
            read.cancel();
          }
          reads.add(read.completion());
        }
        awaitAll(reads, i == 11);
        if (i < 11) {
          assertBytes(0, LENGTH);
        }
      }
    } finally {
      end.countDown();
    }
    assertTrue(s3.counters.retries().sum() > 0);
  }

  private List<ByteRange> halves(int from) {
    return List.of(
        new ByteRange(from + 25_000, target, from + 25_000, 25_000),
        new ByteRange(from, target, from, 25_000));
  }

  private static void awaitAll(List<CompletableFuture<Void>> reads, boolean mayBeCancelled)
      throws Exception {
    for (CompletableFuture<Void> read : reads) {
      try {
        read.get(30, TimeUnit.SECONDS);
      } catch (CancellationException e) {
        assertTrue(mayBeCancelled);
      } catch (ExecutionException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void printsNoSecret() throws Exception {
    String customerKey = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    String token = "TokenOfTests/DoNotPrint";
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (S3Fixture own = new S3Fixture(secrets(customerKey, token))) {
      for (Answer fault :
          List.of(StubS3.error(403, "AccessDenied"), StubS3.error(500, "InternalError"))) {
        own.store.script(ask -> fault);
        try (ByteRangeReader reader = own.open(KEY, LENGTH)) {
          assertThrows(IOException.class, () -> reader.read(0, target, 0, 10)).printStackTrace();
        }
        assertThrows(IOException.class, () -> own.open(KEY, OpenRequest.UNKNOWN)).printStackTrace();
      }
      assertEquals(token, own.store.asks().get(0).headers().get("x-amz-security-token"));
    } finally {
      System.setErr(before);
    }
    String text = printed.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("repeats a request for s3a://bucket/folder/object"), text);
    assertTrue(text.contains("AccessDenied"), text);
    for (String secret : List.of(StubS3.SECRET_KEY, customerKey, token, "Signature=")) {
      assertFalse(text.contains(secret), text);
    }
  }

  private static Map<String, String> secrets(String customerKey, String token) {
    return Map.of(
        "fs.s3a.aws.credentials.provider",
        "org.apache.hadoop.fs.s3a.TemporaryAWSCredentialsProvider",
        "fs.s3a.session.token",
        token,
        "fs.s3a.encryption.algorithm",
        "SSE-C",
        "fs.s3a.encryption.key",
        customerKey);
  }
}
