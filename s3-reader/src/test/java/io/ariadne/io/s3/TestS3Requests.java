package io.ariadne.io.s3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.PendingRead;
import io.ariadne.io.s3.StubS3.Answer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Which requests a reader sends at once, and how they end. */
class TestS3Requests extends AbstractS3Test {
  @Test
  void overtakesALateFirstByte() throws Exception {
    warmUp();
    CountDownLatch late = new CountDownLatch(1);
    first(StubS3.late(late));
    try (ByteRangeReader reader = open()) {
      reader.read(0, target, 0, LENGTH);
      assertBytes(0, LENGTH);
      assertEquals(1, s3.counters.hedges().sum());
      assertEquals(2, s3.counters.requests().sum());
      target.fillZero();
      late.countDown();
      S3Fixture.await("the slow request ends", () -> s3.shared.gate().running() == 0);
      assertEquals(0, target.getLong(0));
      assertEquals(LENGTH, s3.counters.bytes().sum());
      assertEquals(0, s3.counters.retries().sum());
    }
  }

  @Test
  void waitsForTheOtherAttemptWhenOneFails() throws Exception {
    warmUp();
    CountDownLatch late = new CountDownLatch(1);
    s3.store.script(
        ask -> {
          if (ask.index() == 0) {
            return StubS3.late(late);
          }
          return (store, again, out) -> {
            late.countDown();
            StubS3.error(500, "InternalError").write(store, again, out);
          };
        });
    readAndCompare();
    assertEquals(2, s3.counters.requests().sum());
    assertEquals(0, s3.counters.retries().sum());
  }

  @Test
  void cancelledReadEndsBeforeItsAnswer() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    always(StubS3.late(late));
    try (ByteRangeReader reader = open()) {
      PendingRead read = reader.start(List.of(new ByteRange(0, target, 0, LENGTH)), null);
      S3Fixture.await("request", () -> s3.store.busy() == 1);
      read.cancel();
      assertTrue(read.completion().isDone());
      assertThrows(CancellationException.class, () -> await(read));
      target.fillZero();
      late.countDown();
      S3Fixture.await("the request ends", () -> s3.shared.gate().running() == 0);
      assertEquals(0, target.getLong(0));
    }
  }

  @Test
  void cancelledReadEndsWithinItsBody() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    always(StubS3.stall(CUT, end));
    S3Store patient = S3Store.create(1, Timing.of(0, 0));
    OpenRequest request = s3.request(KEY, LENGTH);
    try (ByteRangeReader reader = S3ObjectReader.open(s3.files, patient, request)) {
      target.fillZero();
      PendingRead read = reader.start(List.of(new ByteRange(0, target, 0, LENGTH)), null);
      S3Fixture.await("bytes", () -> hasBytesBefore(CUT));
      read.cancel();
      // Sooner than the reader gives a silent body up.
      assertThrows(CancellationException.class, () -> read.completion().get(10, TimeUnit.SECONDS));
    }
    S3Fixture.await("the request ends", () -> patient.gate().running() == 0);
    end.countDown();
  }

  private boolean hasBytesBefore(int end) {
    ByteBuffer content = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return target.getLong(end - 8) == content.getLong(end - 8);
  }

  @Test
  void cancelledReadIsNotRepeated() throws Exception {
    CountDownLatch failed = new CountDownLatch(1);
    always(
        (store, ask, out) -> {
          failed.await();
          StubS3.error(500, "InternalError").write(store, ask, out);
        });
    try (ByteRangeReader reader = open()) {
      PendingRead read = reader.start(List.of(new ByteRange(0, target, 0, LENGTH)), null);
      S3Fixture.await("request", () -> s3.store.busy() == 1);
      read.cancel();
      failed.countDown();
      assertThrows(CancellationException.class, () -> await(read));
    }
    S3Fixture.await("the request ends", () -> s3.shared.gate().running() == 0);
    assertEquals(1, s3.store.asks().size());
  }

  @Test
  void interruptedReadEnds() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    always(StubS3.late(late));
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (ByteRangeReader reader = open()) {
      Thread thread =
          new Thread(
              () ->
                  failure.set(
                      assertThrows(IOException.class, () -> reader.read(0, target, 0, LENGTH))));
      thread.start();
      S3Fixture.await("request", () -> s3.store.busy() == 1);
      thread.interrupt();
      thread.join();
      assertInstanceOf(InterruptedIOException.class, failure.get());
    }
    late.countDown();
  }

  @Test
  void oneFailedRangeStopsTheOthers() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    s3.store.script(
        ask -> ask.first() == 0 ? StubS3.error(403, "AccessDenied") : StubS3.late(late));
    try (ByteRangeReader reader = open()) {
      List<ByteRange> ranges =
          List.of(
              new ByteRange(0, target, 0, 10),
              new ByteRange(100, target, 100, 10),
              new ByteRange(200, target, 200, 10));
      assertThrows(AccessDeniedException.class, () -> reader.readAll(ranges));
    }
    late.countDown();
  }

  @Test
  void usesAllConnectionsAndNoMore() throws Exception {
    CountDownLatch all = new CountDownLatch(S3Fixture.CONNECTIONS);
    s3.store.script(
        ask -> {
          all.countDown();
          return StubS3.late(all);
        });
    List<ByteRange> ranges = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      ranges.add(new ByteRange(i * 1000, target, i * 1000, 900));
    }
    try (ByteRangeReader reader = open();
        ByteRangeReader second = open()) {
      PendingRead one = reader.start(ranges.subList(0, 20), null);
      await(second.start(ranges.subList(20, 40), null));
      await(one);
    }
    assertEquals(S3Fixture.CONNECTIONS, s3.store.mostBusy());
    assertBytes(39_000, 900);
  }

  @Test
  void joinsRangesThatFollowEachOther() throws Exception {
    try (ByteRangeReader reader = open()) {
      reader.readAll(
          List.of(
              new ByteRange(2000, target, 2000, 500),
              new ByteRange(0, target, 0, 1000),
              new ByteRange(1000, target, 1000, 1000)));
    }
    assertBytes(0, 2500);
    assertEquals(1, s3.store.asks().size());
  }

  @Test
  void onlyOneAttemptWrites() throws Exception {
    warmUp();
    allowOneHedge();
    target.fillZero();
    CountDownLatch late = new CountDownLatch(1);
    s3.store.script(
        ask -> {
          if (ask.index() == 0) {
            return StubS3.late(late);
          }
          return StubS3.paused(
              CUT,
              store -> {
                S3Fixture.await("bytes", () -> hasBytesBefore(CUT));
                late.countDown();
                S3Fixture.await("the slow request ends", () -> s3.shared.gate().running() == 1);
              });
        });
    readAndCompare();
    assertEquals(2, s3.counters.requests().sum());
    assertEquals(LENGTH, s3.counters.bytes().sum());
  }

  private void allowOneHedge() {
    boolean isSpent = false;
    while (!isSpent) {
      isSpent = !s3.shared.times().takeHedge();
    }
    s3.shared.times().returnHedge();
  }

  @Test
  void overtakenAttemptDoesNotReturnInALaterRound() throws Exception {
    warmUp();
    allowOneHedge();
    target.fillZero();
    CountDownLatch late = new CountDownLatch(1);
    s3.store.script(
        ask -> {
          switch (ask.index()) {
            case 0:
              return StubS3.late(late);
            case 1:
              return StubS3.cutAfter(
                  CUT,
                  store -> {
                    S3Fixture.await("bytes", () -> hasBytesBefore(CUT));
                    late.countDown();
                  });
            default:
              return (store, again, out) -> {
                while (store.busy() > 1) {
                  Thread.sleep(1);
                }
                Answer.NORMAL.write(store, again, out);
              };
          }
        });
    readAndCompare();
    assertEquals(CUT, s3.store.gets().get(2).first());
    S3Fixture.await("the slow request ends", () -> s3.shared.gate().running() == 0);
    assertEquals(LENGTH, s3.counters.bytes().sum());
    assertEquals(1, s3.counters.hedges().sum());
    assertEquals(1, s3.counters.retries().sum());
  }

  @Test
  void dividesALongRange() throws Exception {
    byte[] large = new byte[(17 << 20) + 1];
    new Random(9).nextBytes(large);
    s3.store.put("large", large, "\"l\"");
    try (MemoryBuffer all = memory.allocator().allocate(large.length);
        ByteRangeReader reader = s3.open("large", large.length)) {
      reader.read(0, all, 0, large.length);
      byte[] read = new byte[large.length];
      all.getBytes(0, read, 0, read.length);
      assertArrayEquals(large, read);
    }
    assertEquals(3, s3.store.gets().size());
  }
}
