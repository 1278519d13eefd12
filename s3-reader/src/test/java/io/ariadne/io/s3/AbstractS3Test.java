package io.ariadne.io.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.PendingRead;
import io.ariadne.io.s3.StubS3.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An object in a store, and a target. Each test ends without requests. */
@Timeout(60)
abstract class AbstractS3Test {
  static final String KEY = "folder/object";
  static final int LENGTH = 400_000;
  static final int CUT = 70_000;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  final byte[] bytes = new byte[LENGTH];
  S3Fixture s3;
  MemoryBuffer target;

  @BeforeEach
  void start() throws IOException {
    new Random(5).nextBytes(bytes);
    s3 = new S3Fixture();
    s3.store.put(KEY, bytes, "\"v1\"");
    target = memory.allocator().allocate(LENGTH);
  }

  @AfterEach
  void stop() throws Exception {
    s3.assertIdle();
    assertNoConnectionIsLost();
    s3.close();
    target.close();
  }

  /** A lost one would not be there for as many requests as S3A has connections. */
  private void assertNoConnectionIsLost() throws Exception {
    CountDownLatch all = new CountDownLatch(S3Fixture.CONNECTIONS);
    s3.store.put("check", new byte[S3Fixture.CONNECTIONS * 2], "\"c\"");
    s3.store.script(
        ask -> {
          all.countDown();
          return StubS3.late(all);
        });
    S3Store fresh = S3Store.create(S3Fixture.CONNECTIONS, S3Fixture.TIMING);
    List<ByteRange> ranges = new ArrayList<>();
    for (int i = 0; i < S3Fixture.CONNECTIONS; i++) {
      ranges.add(new ByteRange(2 * i, target, i, 1));
    }
    OpenRequest request = s3.request("check", S3Fixture.CONNECTIONS * 2);
    try (ByteRangeReader reader = S3ObjectReader.open(s3.files, fresh, request)) {
      await(reader.start(ranges, null));
    }
  }

  static void await(PendingRead read) throws Exception {
    read.completion().get(30, TimeUnit.SECONDS);
  }

  ByteRangeReader open() throws IOException {
    return s3.open(KEY, LENGTH);
  }

  void readAndCompare() throws IOException {
    try (ByteRangeReader reader = open()) {
      reader.read(0, target, 0, LENGTH);
    }
    assertBytes(0, LENGTH);
  }

  void assertBytes(int from, int count) {
    byte[] read = new byte[count];
    target.getBytes(from, read, 0, count);
    for (int i = 0; i < count; i++) {
      if (bytes[from + i] != read[i]) {
        assertEquals(bytes[from + i], read[i], "byte " + (from + i));
      }
    }
  }

  /** Answers the first requests with faults, the later ones as S3 does. */
  void first(Answer... faults) {
    s3.store.script(ask -> ask.index() < faults.length ? faults[ask.index()] : Answer.NORMAL);
  }

  void always(Answer fault) {
    s3.store.script(ask -> fault);
  }

  void warmUp() {
    for (int i = 0; i < 256; i++) {
      s3.shared.times().add(1000);
    }
  }
}
