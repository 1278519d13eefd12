package io.ariadne.shuffle.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.shuffle.codec.Codec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of a {@link Transport}: all blocks of all ranges arrive once, in order, whatever
 * fails on the way, or the reader learns which range cannot be had. Nothing is left in memory.
 */
@Timeout(120)
public abstract class AbstractTestTransport extends TransportFixture {
  @Test
  void receivesAllBlocksOfSeveralPeers() throws InterruptedException {
    for (int run = 0; run < 3; run++) {
      Wanted wanted = new Wanted();
      List<Sender> peers = List.of(sender(), sender(), sender());
      for (int i = 0; i < 100; i++) {
        Sender peer = peers.get(random.nextInt(peers.size()));
        int rows = random.nextInt(4) == 0 ? 0 : random.nextInt(60);
        wanted.add(peer, rows, 1 + random.nextInt(4000));
      }
      long requestBytes = 10_000L + random.nextInt(1 << 20);
      long inFlight = 1L + random.nextInt(4 << 20);
      readAll(limits(inFlight, requestBytes, 1 + random.nextInt(4), 0), wanted);
    }
  }

  @Test
  void countsWhatIsSentAndReceived() throws InterruptedException {
    Sender peer = sender();
    Wanted wanted = new Wanted();
    for (int i = 0; i < 20; i++) {
      wanted.add(peer, 1 + random.nextInt(50), 3000);
    }
    TransportCounters counters = readAll(limits(), wanted);
    long plain = wanted.expected.stream().mapToLong(bytes -> bytes.length).sum();
    assertEquals(0, repeatedRequests());
    assertEquals(plain, counters.receivedPlainBytes().sum());
    assertEquals(plain, peer.counters.sentPlainBytes().sum());
    assertEquals(counters.receivedBytes().sum(), peer.counters.sentBytes().sum());
    assertTrue(counters.receivedBytes().sum() < plain, "nothing was compressed");
    assertTrue(counters.requests().sum() > 0);
  }

  @Test
  void receivesNoiseToMeasureTheWay() throws InterruptedException {
    Sender peer = sender();
    List<WantedRange> probes = new ArrayList<>();
    for (long rows : new long[] {0, 1, 100}) {
      probes.add(
          new WantedRange(peer.peer(), ProbeSource.range(rows), rows * ProbeSource.ROW_BYTES));
    }
    long[] rows = new long[probes.size()];
    try (BlockFetcher fetcher = fetcher(transport, pool, limits());
        RemoteBlocks blocks = fetcher.open(probes)) {
      for (ReceivedBlock block = blocks.next(GOES_ON);
          block != null;
          block = blocks.next(GOES_ON)) {
        assertEquals((long) block.rows() * ProbeSource.ROW_BYTES, block.bytes().lengthInBytes());
        rows[block.index()] += block.rows();
        assertEquals(Codec.NONE, block.bytes().codec(), "noise is compressed");
        block.close();
      }
    }
    assertArrayEquals(new long[] {0, 1, 100}, rows);
  }

  @Test
  void endsAtOnceWithoutRanges() throws InterruptedException {
    readAll(limits(), new Wanted());
  }

  @Test
  void receivesManyRangesOfFewBytes() throws InterruptedException {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    for (int i = 0; i < 2500; i++) {
      wanted.add(peer, random.nextInt(3), 20);
    }
    readAll(limits(), wanted);
  }

  @Test
  void receivesRangesOfManyReplies() throws InterruptedException {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    for (int i = 0; i < 3; i++) {
      wanted.add(peer, 300, 20_000);
    }
    readAll(limits(4 << 20, 50_000, 3, 0), wanted);
  }

  @Test
  void receivesMoreBlocksThanAReplyMayHave() throws InterruptedException {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    wanted.add(peer, 30_000, 10);
    wanted.add(peer, 30_000, 10);
    readAll(limits(), wanted);
  }

  @Test
  void receivesRowsLongerThanAReply() throws InterruptedException {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    for (int i = 0; i < 10; i++) {
      wanted.add(peer, random.nextInt(5), random.nextBoolean() ? 300_000 : 100);
    }
    readAll(limits(1 << 20, 10_000, 3, 0), wanted);
  }

  /** Returns ranges of 0 to 19 blocks. */
  private Wanted twentyRanges(Sender peer) {
    Wanted wanted = new Wanted();
    for (int i = 0; i < 20; i++) {
      wanted.add(peer, i, 1000);
    }
    return wanted;
  }

  @Test
  void failsWhenARangeIsGone() {
    Sender peer = sender();
    Wanted wanted = twentyRanges(peer);
    peer.blocks.remove(wanted.ranges.get(13).range());
    FetchFailure failure = readToFailure(limits(), wanted);
    assertEquals(13, failure.index());
    assertTrue(failure.getMessage().contains("no longer has"), failure.getMessage());
  }

  @Test
  void receivesRowsThatAPeerHasGivenUpFromTheirCopies() throws InterruptedException {
    Sender former = sender();
    Sender owner = sender();
    Wanted wanted = new Wanted();
    for (int i = 0; i < 200; i++) {
      wanted.add(former, random.nextInt(20), 100);
      BlockRange range = wanted.ranges.get(i).range();
      former.blocks.copy(range, owner.blocks);
      if (i < 150 || random.nextBoolean()) {
        former.blocks.remove(range);
      }
      wanted.ranges.set(i, new WantedRange(former.peer(), range, 1000, owner.peer()));
    }
    TransportCounters counters = readAll(limits(), wanted);
    assertEquals(0, repeatedRequests());
    assertTrue(counters.requests().sum() < 150, "a request for each range that is gone");
  }

  @Test
  void failsWhenRowsAreDamaged() {
    Sender peer = sender();
    Wanted wanted = twentyRanges(peer);
    BlockRange damaged = wanted.ranges.get(7).range();
    peer.blocks.beforeBlock(
        range -> {
          if (range.shuffleId() == damaged.shuffleId()) {
            throw new EngineException(ErrorCode.CORRUPT_DATA, "a wrong checksum");
          }
        });
    FetchFailure failure = readToFailure(limits(), wanted);
    assertEquals(7, failure.index());
    assertTrue(failure.getMessage().contains("a wrong checksum"), failure.getMessage());
  }

  /** Returns ranges of two peers, which both call something before each block. */
  private Wanted wantedOfTwoPeers(
      int rangesOfEach, int maxRowBytes, Consumer<BlockRange> beforeBlock) {
    Wanted wanted = new Wanted();
    for (int i = 0; i < 2; i++) {
      Sender peer = sender();
      peer.blocks.beforeBlock(beforeBlock);
      for (int range = 0; range < rangesOfEach; range++) {
        wanted.add(peer, random.nextInt(20), maxRowBytes);
      }
    }
    return wanted;
  }

  @Test
  void asksAgainWhilePeersHaveTooLittleMemory() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    Wanted wanted =
        wantedOfTwoPeers(
            5,
            1000,
            range -> {
              if (calls.incrementAndGet() % 3 != 0) {
                throw new EngineException(ErrorCode.OUT_OF_MEMORY, "no memory for a block");
              }
            });
    // No failure is counted, so without retries.
    readAll(limits(1 << 20, 4000, 2, 0), wanted);
    assertTrue(repeatedRequests() > 0);
  }

  @Test
  void failsWhenAPeerStaysBusy() {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    peer.blocks.beforeBlock(
        range -> {
          throw new EngineException(ErrorCode.OUT_OF_MEMORY, "no memory for a block");
        });
    wanted.add(peer, 10, 100);
    FetchLimits limits = new FetchLimits(1 << 20, 1 << 20, 2, 3, PAUSE, Duration.ofMillis(20));
    FetchFailure failure = readToFailure(limits, wanted);
    assertEquals(0, failure.index());
  }

  @Test
  void asksAgainAfterFailures() throws InterruptedException {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    AtomicInteger calls = new AtomicInteger();
    peer.blocks.beforeBlock(
        range -> {
          if (calls.incrementAndGet() % 4 != 0) {
            throw new IllegalStateException("a fault of the test");
          }
        });
    for (int range = 0; range < 5; range++) {
      wanted.add(peer, 3 + random.nextInt(20), 1000);
    }
    TransportCounters counters = readAll(limits(1 << 20, 5000, 1, 10), wanted);
    assertTrue(counters.failedRequests().sum() > 0);
    assertEquals(counters.failedRequests().sum(), repeatedRequests());
  }

  @Test
  void failsWhenRetriesAreUsedUp() {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    AtomicInteger calls = new AtomicInteger();
    peer.blocks.beforeBlock(
        range -> {
          calls.incrementAndGet();
          throw new EngineException(ErrorCode.INTERNAL, "a fault of the test");
        });
    wanted.add(peer, 10, 100);
    FetchFailure failure = readToFailure(limits(1 << 20, 1 << 20, 1, 3), wanted);
    assertEquals(0, failure.index());
    assertTrue(failure.getMessage().contains("a fault of the test"), failure.getMessage());
    assertEquals(4, calls.get());
  }

  @Test
  void failsWhenAPeerDoesNotListen() {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    wanted.add(peer, 10, 100);
    peer.close();
    FetchFailure failure = readToFailure(limits(), wanted);
    assertEquals(0, failure.index());
    assertNotNull(failure.getCause());
  }

  @Test
  void failsAtOnceWhenAPeerHasEnded() {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    wanted.add(peer, 10, 100);
    peer.close();
    FetchLimits patient =
        new FetchLimits(1 << 20, 1 << 20, 1, 100, Duration.ofHours(1), Duration.ofHours(1));
    try (BlockFetcher fetcher = fetcher(transport, pool, patient, false);
        RemoteBlocks blocks = fetcher.open(wanted.ranges)) {
      FetchFailure failure = readToFailure(blocks);
      assertTrue(failure.getMessage().contains("has ended"), failure.getMessage());
    }
  }

  @Test
  void failsWhenAPeerGoesAway() throws InterruptedException {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    for (int i = 0; i < 50; i++) {
      wanted.add(peer, 10, 2000);
    }
    // No more than two requests are made before the peer is gone.
    FetchLimits limits = limits(10_000, 10_000, 2, 2);
    try (BlockFetcher fetcher = fetcher(transport, pool, limits);
        RemoteBlocks blocks = fetcher.open(wanted.ranges)) {
      blocks.next(GOES_ON).close();
      peer.close();
      readToFailure(blocks);
    }
  }

  @Test
  void asksAgainWhenConnectionsAreLost() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    Wanted wanted = new Wanted();
    for (int i = 0; i < 2; i++) {
      Sender peer =
          new Sender(
              server ->
                  handler(
                      server,
                      (request, responder) -> {
                        if (calls.incrementAndGet() % 5 == 0) {
                          disconnect(responder.connection());
                        }
                        server.handle(request, responder);
                      }));
      for (int range = 0; range < 30; range++) {
        wanted.add(peer, random.nextInt(20), 2000);
      }
    }
    readAll(limits(1 << 20, 20_000, 4, 1000), wanted);
  }

  /**
   * Receives all blocks of two peers while something happens; for tests of one transport.
   *
   * @param event runs once, on a thread of a sender
   */
  protected final void receiveAllDuring(Runnable event) throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    Wanted wanted =
        wantedOfTwoPeers(
            30,
            2000,
            range -> {
              if (calls.incrementAndGet() == 20) {
                event.run();
              }
            });
    readAll(limits(1 << 20, 20_000, 4, 1000), wanted);
    assertTrue(calls.get() >= 20, "nothing has happened");
  }

  /** Returns whether a connection is one of the protocol that is tested. */
  protected boolean isOwn(Object connection) {
    return true;
  }

  /** A transport may use another one where it has to; it does not have to here. */
  @Test
  void usesItsOwnProtocol() throws InterruptedException {
    Set<Object> connections = ConcurrentHashMap.newKeySet();
    Wanted wanted = new Wanted();
    Sender peer =
        new Sender(
            server ->
                handler(
                    server,
                    (request, responder) -> {
                      connections.add(responder.connection());
                      server.handle(request, responder);
                    }));
    for (int range = 0; range < 30; range++) {
      wanted.add(peer, 1 + random.nextInt(20), 2000);
    }
    readAll(limits(1 << 20, 20_000, 4, 0), wanted);
    assertFalse(connections.isEmpty());
    connections.forEach(connection -> assertTrue(isOwn(connection), connection.toString()));
  }

  private interface Handle {
    void handle(ByteBuffer request, Transport.Responder responder);
  }

  private static Transport.Handler handler(Transport.Handler server, Handle handle) {
    return new Transport.Handler() {
      @Override
      public void handle(ByteBuffer request, Transport.Responder responder) {
        handle.handle(request, responder);
      }

      @Override
      public void disconnected(Object connection) {
        server.disconnected(connection);
      }
    };
  }

  @Test
  void asksAgainWhenNoReplyComes() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    Wanted wanted = new Wanted();
    Sender peer =
        new Sender(
            server ->
                handler(
                    server,
                    (request, responder) -> {
                      if (calls.incrementAndGet() > 2) {
                        server.handle(request, responder);
                      }
                    }));
    for (int i = 0; i < 5; i++) {
      wanted.add(peer, 20, 1000);
    }
    Duration timeout = Duration.ofMillis(50);
    readAll(new FetchLimits(1 << 20, 1 << 20, 1, 1000, PAUSE, timeout), wanted);
  }

  @Test
  void failsWhenNoReplyComes() {
    Wanted wanted = new Wanted();
    Sender peer = new Sender(server -> handler(server, (request, responder) -> {}));
    wanted.add(peer, 20, 1000);
    Duration timeout = Duration.ofMillis(20);
    FetchFailure failure =
        readToFailure(new FetchLimits(1 << 20, 1 << 20, 1, 1, PAUSE, timeout), wanted);
    assertInstanceOf(TimeoutException.class, failure.getCause());
  }

  @Test
  void freesMemoryWhenClosedInTheMiddle() throws InterruptedException {
    for (int run = 0; run < 20; run++) {
      Wanted wanted = new Wanted();
      Sender peer = senders.isEmpty() ? sender() : senders.get(0);
      for (int i = 0; i < 20; i++) {
        wanted.add(peer, 20, 1000);
      }
      int count = random.nextInt(20);
      FetchLimits limits = limits(1 << 20, 20_000, 4, 3);
      try (BlockFetcher fetcher = fetcher(transport, pool, limits)) {
        RemoteBlocks blocks = fetcher.open(wanted.ranges);
        for (int i = 0; i < count; i++) {
          blocks.next(GOES_ON).close();
        }
        blocks.close();
        blocks.close();
        assertThrows(IllegalStateException.class, () -> blocks.next(GOES_ON));
      }
    }
  }

  @Test
  void endsWhenInterrupted() {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    CountDownLatch isOver = new CountDownLatch(1);
    peer.blocks.beforeBlock(range -> await(isOver));
    wanted.add(peer, 20, 1000);
    try (BlockFetcher fetcher = fetcher(transport, pool, limits());
        RemoteBlocks blocks = fetcher.open(wanted.ranges)) {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, () -> blocks.next(GOES_ON));
    } finally {
      isOver.countDown();
    }
  }

  @Test
  void endsWhenTheTaskIsToEnd() {
    Wanted wanted = new Wanted();
    Sender peer = sender();
    CountDownLatch isOver = new CountDownLatch(1);
    peer.blocks.beforeBlock(range -> await(isOver));
    wanted.add(peer, 20, 1000);
    AtomicInteger calls = new AtomicInteger();
    Runnable end =
        () -> {
          if (calls.incrementAndGet() == 2) {
            throw new IllegalStateException("the task is killed");
          }
        };
    try (BlockFetcher fetcher = fetcher(transport, pool, limits());
        RemoteBlocks blocks = fetcher.open(wanted.ranges)) {
      assertThrows(IllegalStateException.class, () -> blocks.next(end));
    } finally {
      isOver.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void receivesBlocksOfOthersWhileAPeerIsSlow() throws InterruptedException {
    receiveWhileAPeerIsSlow(limits(1 << 20, 100_000, 2, 0));
    receiveWhileAPeerIsSlow(limits(200_000, 100_000, 3, 0)); // less than one peer may take
  }

  private void receiveWhileAPeerIsSlow(FetchLimits limits) throws InterruptedException {
    Wanted wanted = new Wanted();
    Sender slow = sender();
    Sender fast = sender();
    CountDownLatch isFastOver = new CountDownLatch(1);
    slow.blocks.beforeBlock(range -> await(isFastOver));
    int fastRows = 0;
    for (int i = 0; i < 40; i++) {
      wanted.add(i % 2 == 0 ? slow : fast, 10, 2000);
      fastRows += i % 2 == 0 ? 0 : 10;
    }
    List<ReceivedBlock> received = new ArrayList<>();
    try (BlockFetcher fetcher = fetcher(transport, pool, limits);
        RemoteBlocks blocks = fetcher.open(wanted.ranges)) {
      while (fastRows > 0) {
        ReceivedBlock block = blocks.next(GOES_ON);
        assertEquals(1, block.index() % 2);
        fastRows -= block.rows();
        received.add(block);
      }
      isFastOver.countDown();
      for (ReceivedBlock block = blocks.next(GOES_ON);
          block != null;
          block = blocks.next(GOES_ON)) {
        received.add(block);
      }
      assertNull(blocks.next(GOES_ON));
      for (int i = 0; i < wanted.ranges.size(); i++) {
        wanted.check(received, i);
      }
    } finally {
      isFastOver.countDown();
      received.forEach(ReceivedBlock::close);
    }
  }

  @Test
  void receivesWithMemoryForOneRequest() throws InterruptedException {
    Wanted wanted = new Wanted();
    for (int i = 0; i < 3; i++) {
      Sender peer = sender();
      for (int range = 0; range < 20; range++) {
        wanted.add(peer, 10, 1000);
      }
    }
    long requestBytes = 20_000;
    MemoryPool small = pool.newChild("small", requestBytes + (192 << 10)); // head and padding, too
    int rows = 0;
    try (BlockFetcher fetcher = fetcher(transport, small, limits(1 << 20, requestBytes, 3, 0));
        RemoteBlocks blocks = fetcher.open(wanted.ranges)) {
      for (ReceivedBlock block = blocks.next(GOES_ON);
          block != null;
          block = blocks.next(GOES_ON)) {
        rows += block.rows();
        block.close();
      }
    }
    assertEquals(600, rows);
    assertNothingIsLeft(small);
  }

  @Test
  void servesSeveralTasksAtOnce() throws Exception {
    List<Sender> peers = List.of(sender(), sender());
    List<Wanted> tasks = new ArrayList<>();
    for (int task = 0; task < 4; task++) {
      Wanted wanted = new Wanted();
      for (int i = 0; i < 50; i++) {
        wanted.add(peers.get(i % 2), random.nextInt(20), 2000);
      }
      tasks.add(wanted);
    }
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<Future<?>> results = new ArrayList<>();
      for (Wanted wanted : tasks) {
        results.add(
            threads.submit(
                () -> {
                  readAll(limits(1 << 20, 30_000, 2, 0), wanted);
                  return null;
                }));
      }
      for (Future<?> result : results) {
        result.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
