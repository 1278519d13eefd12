package io.ariadne.shuffle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.Reservation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a task asks for, and when, told by a transport that the test answers for. */
@Timeout(60)
class TestRemoteBlocks {
  private static final int RANGE_BYTES = 100_000;
  private static final Peer FIRST = new Peer("1", "host", 1);
  private static final Peer SECOND = new Peer("2", "host", 2);
  private static final Runnable GOES_ON = () -> {};

  private final MemoryPool pool = MemoryPools.host("receiver", 1 << 20, true);
  private final Asked transport = new Asked();

  private record Request(Peer peer, BlockRequest wanted, Transport.Listener listener) {
    /** Sends so many ranges of one block each. */
    void reply(int ranges, int blockBytes) {
      List<BlockReply.Entry> blocks = new ArrayList<>();
      for (int i = 0; i < ranges; i++) {
        blocks.add(new BlockReply.Entry(i, 1, blockBytes));
      }
      BlockReply head = new BlockReply(BlockReply.Status.BLOCKS, ranges, 0, 0, "", blocks);
      ByteBuffer bytes = ByteBuffer.allocate(ranges * blockBytes);
      listener.received(new ReplyBytes(List.of(head.encoded(), bytes)));
    }

    /** Sends a block that was received into memory of the listener; returns its address. */
    long replyInto(int blockBytes) {
      BlockReply head =
          new BlockReply(
              BlockReply.Status.BLOCKS,
              1,
              0,
              0,
              "",
              List.of(new BlockReply.Entry(0, 1, blockBytes)));
      ByteBuffer headBytes = head.encoded();
      MemoryBuffer first = listener.memory().allocate(headBytes.remaining());
      Memory.byteBuffer(first.address(), headBytes.remaining()).put(headBytes);
      MemoryBuffer block = listener.memory().allocate(blockBytes);
      long address = block.address();
      try (ReplyBytes reply = ReplyBytes.owning(List.of(first, block))) {
        listener.received(reply);
      }
      return address;
    }

    void reply(BlockReply.Status status, long number) {
      BlockReply head = BlockReply.without(status, 0, number, "");
      listener.received(new ReplyBytes(List.of(head.encoded())));
    }
  }

  /** Keeps the requests, or refuses them. */
  private static final class Asked implements Transport {
    final LinkedBlockingQueue<Request> requests = new LinkedBlockingQueue<>();
    volatile boolean isClosed;
    volatile boolean hasNoHeap;

    @Override
    public String name() {
      return "asked";
    }

    @Override
    public int port() {
      return 1;
    }

    @Override
    public void request(Peer peer, ByteBuffer request, long maxReplyBytes, Listener listener) {
      if (isClosed) {
        listener.failed(new IOException("closed"));
      } else {
        requests.add(new Request(peer, BlockRequest.decode(request), listener));
      }
    }

    @Override
    public double bytesPerSecond(Peer peer) {
      if (hasNoHeap) {
        throw new OutOfMemoryError("of the test");
      }
      return 12_345;
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  @AfterEach
  void close() {
    assertEquals(0, pool.allocatedBytes());
    pool.close();
  }

  private static List<WantedRange> ranges(Peer peer, int count) {
    List<WantedRange> ranges = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ranges.add(new WantedRange(peer, new BlockRange(i, 0, 0, 1, 0), RANGE_BYTES));
    }
    return ranges;
  }

  private BlockFetcher fetcher(int requestsPerPeer, int retries, Duration pause) {
    FetchLimits limits =
        new FetchLimits(
            1 << 20, RANGE_BYTES, requestsPerPeer, retries, pause, Duration.ofMinutes(5));
    return TransportFixture.fetcher(transport, pool, limits);
  }

  /** A thread of the transport, which brings replies, has no heap for the next request. */
  @Test
  void asksAgainForWhatCouldNotBeAskedFor() throws InterruptedException {
    try (BlockFetcher fetcher = fetcher(1, 0, Duration.ZERO);
        RemoteBlocks blocks = fetcher.open(ranges(FIRST, 2))) {
      Request first = transport.requests.take();
      transport.hasNoHeap = true;
      assertThrows(OutOfMemoryError.class, () -> first.reply(1, 10));
      transport.hasNoHeap = false;
      blocks.next(GOES_ON).close();
      transport.requests.take().reply(1, 10);
      blocks.next(GOES_ON).close();
      assertNull(blocks.next(GOES_ON));
    }
  }

  /** Rows are not missing unnoticed: the task fails. */
  @Test
  void failsWhenAReplyCannotBeRecorded() {
    LongAdder fails =
        new LongAdder() {
          private static final long serialVersionUID = 1;

          @Override
          public void add(long bytes) {
            throw new OutOfMemoryError("of the test");
          }
        };
    LongAdder counts = new LongAdder();
    TransportCounters counters =
        new TransportCounters(counts, counts, counts, fails, counts, counts, counts, counts);
    FetchLimits limits =
        new FetchLimits(1 << 20, RANGE_BYTES, 1, 0, Duration.ZERO, Duration.ofMinutes(5));
    try (BlockFetcher fetcher =
            new BlockFetcher(
                "test", transport, pool, limits, TransportFixture.registry(true), counters);
        RemoteBlocks blocks = fetcher.open(ranges(FIRST, 1))) {
      Request request = transport.requests.remove();
      assertThrows(OutOfMemoryError.class, () -> request.reply(1, 10));
      IllegalStateException lost =
          assertThrows(IllegalStateException.class, () -> blocks.next(GOES_ON));
      assertTrue(lost.getCause() instanceof OutOfMemoryError);
    }
  }

  @Test
  void countsALostConnectionOnce() throws InterruptedException {
    // Longer than the time between the failures of one connection.
    Duration pause = Duration.ofMillis(500);
    try (BlockFetcher fetcher = fetcher(4, 3, pause);
        RemoteBlocks blocks = fetcher.open(ranges(FIRST, 4))) {
      List<Request> lost = new ArrayList<>();
      transport.requests.drainTo(lost);
      assertEquals(4, lost.size());
      for (Request request : lost) {
        request.listener().failed(new IOException("the connection is lost"));
      }
      assertTrue(transport.requests.isEmpty());
      for (int i = 0; i < 4; i++) {
        transport.requests.take().reply(1, 10);
        blocks.next(GOES_ON).close();
      }
      assertNull(blocks.next(GOES_ON));
    }
  }

  @Test
  void takesBlocksThatAreInItsMemory() throws InterruptedException {
    try (BlockFetcher fetcher = fetcher(4, 3, Duration.ZERO);
        RemoteBlocks blocks = fetcher.open(ranges(FIRST, 2))) {
      for (int i = 0; i < 2; i++) {
        long address = transport.requests.take().replyInto(RANGE_BYTES);
        try (ReceivedBlock block = blocks.next(GOES_ON)) {
          assertEquals(address, block.bytes().bytes().address());
        }
      }
      assertNull(blocks.next(GOES_ON));
    }
  }

  @Test
  void freesPartsThatComeAfterItWasClosed() {
    Request request;
    MemoryBuffer early;
    try (BlockFetcher fetcher = fetcher(1, 3, Duration.ZERO);
        RemoteBlocks blocks = fetcher.open(ranges(FIRST, 1))) {
      request = transport.requests.remove();
      early = request.listener().memory().allocate(100);
      assertTrue(blocks.statistics().openNanos() > 0);
    }
    assertThrows(IllegalStateException.class, () -> request.listener().memory().allocate(100));
    try (ReplyBytes late = ReplyBytes.owning(List.of(early))) {
      request.listener().received(late);
    }
  }

  @Test
  void asksForALongBlockAlone() throws InterruptedException {
    try (BlockFetcher fetcher = fetcher(2, 0, Duration.ofMillis(1));
        RemoteBlocks blocks = fetcher.open(ranges(FIRST, 3))) {
      Request first = transport.requests.take();
      Request second = transport.requests.take();
      first.reply(BlockReply.Status.TOO_LONG, 3 * RANGE_BYTES);
      Request longer = transport.requests.take();
      assertEquals(3 * RANGE_BYTES, longer.wanted().maxBytes());
      assertEquals(first.wanted().ranges().get(0), longer.wanted().ranges().get(0));
      // What follows is asked for in the usual way.
      second.reply(1, 10);
      if (longer.wanted().ranges().size() < 2) {
        Request third = transport.requests.take();
        assertEquals(RANGE_BYTES, third.wanted().maxBytes());
        third.reply(1, 10);
      }
      longer.reply(longer.wanted().ranges().size(), 2 * RANGE_BYTES / 3);
      for (int i = 0; i < 3; i++) {
        blocks.next(GOES_ON).close();
      }
      assertNull(blocks.next(GOES_ON));
    }
  }

  @Test
  void failsWhenARowHasTooManyBytes() throws InterruptedException {
    try (BlockFetcher fetcher = fetcher(1, 0, Duration.ofMillis(1));
        RemoteBlocks blocks = fetcher.open(ranges(FIRST, 1))) {
      transport.requests.take().reply(BlockReply.Status.TOO_LONG, BlockReply.MAX_BYTES + 1);
      assertThrows(FetchFailure.class, () -> blocks.next(GOES_ON));
    }
  }

  /** A peer that says so of what fits would be asked again at once, for ever. */
  @Test
  void countsRepliesThatMakeNoSenseAsFailures() throws InterruptedException {
    try (BlockFetcher fetcher = fetcher(1, 1, Duration.ofMillis(1));
        RemoteBlocks blocks = fetcher.open(ranges(FIRST, 1))) {
      for (int i = 0; i < 2; i++) {
        transport.requests.take().reply(BlockReply.Status.TOO_LONG, 1);
      }
      assertThrows(FetchFailure.class, () -> blocks.next(GOES_ON));
    }
  }

  /** No reply comes that would make the next request. */
  @Test
  void asksWhenMemoryBecomesFree() throws InterruptedException {
    List<WantedRange> wanted = new ArrayList<>(ranges(FIRST, 1));
    wanted.addAll(ranges(SECOND, 1));
    Reservation other = pool.tryReserve("other tasks", (1 << 20) - 3 * RANGE_BYTES);
    try (BlockFetcher fetcher = fetcher(1, 0, Duration.ofMillis(1));
        RemoteBlocks blocks = fetcher.open(wanted)) {
      assertEquals(1, transport.requests.size());
      Request slow = transport.requests.take();
      other.close();
      Runnable answers =
          () -> {
            Request request = transport.requests.poll();
            if (request != null) {
              assertEquals(SECOND, request.peer());
              request.reply(1, 10);
            }
          };
      ReceivedBlock block = blocks.next(answers);
      assertEquals(1, block.index());
      block.close();
      slow.reply(1, 10);
      blocks.next(GOES_ON).close();
      assertNull(blocks.next(GOES_ON));
    }
  }

  @Test
  void doesNotWaitForPausesThatNobodyEnds() throws InterruptedException {
    BlockFetcher fetcher = fetcher(1, 2, Duration.ofMillis(1));
    try (RemoteBlocks blocks = fetcher.open(ranges(FIRST, 1))) {
      fetcher.close();
      transport.close();
      transport.requests.take().listener().failed(new IOException("closed"));
      assertThrows(FetchFailure.class, () -> blocks.next(GOES_ON));
    }
  }

  @Test
  void dropsRepliesThatComeTooLate() throws InterruptedException {
    try (BlockFetcher fetcher = fetcher(1, 0, Duration.ofMillis(1))) {
      RemoteBlocks blocks = fetcher.open(ranges(FIRST, 1));
      Request request = transport.requests.take();
      blocks.close();
      request.reply(1, 10);
      request.listener().failed(new IOException("late"));
    }
  }

  /** The answer that a peer has ended may come when the task has closed its blocks. */
  @Test
  void ignoresAnswersOfTheRegistryThatComeTooLate() throws InterruptedException {
    CountDownLatch isAsked = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    FetchLimits limits =
        new FetchLimits(
            1 << 20, RANGE_BYTES, 1, 1_000_000, Duration.ofMillis(1), Duration.ofHours(1));
    try (BlockFetcher fetcher = fetcher(limits, isAsked, answers)) {
      RemoteBlocks closed = fetcher.open(ranges(FIRST, 2));
      transport.requests.take().listener().failed(new IOException("lost"));
      isAsked.await();
      closed.close();
      answers.countDown();
      // One thread asks the registry, so the late answer has come when the next one does.
      Runnable fails =
          () -> {
            Request request = transport.requests.poll();
            if (request != null) {
              request.listener().failed(new IOException("lost"));
            }
          };
      try (RemoteBlocks next = fetcher.open(ranges(FIRST, 1))) {
        FetchFailure failure = assertThrows(FetchFailure.class, () -> next.next(fails));
        assertTrue(failure.getMessage().contains("has ended"), failure.getMessage());
      }
      assertThrows(IllegalStateException.class, () -> closed.next(GOES_ON));
      closed.close();
      assertEquals(0, pool.allocatedBytes());
    }
  }

  /** Returns a fetcher whose executors have ended, as the registry says once it may. */
  private BlockFetcher fetcher(FetchLimits limits, CountDownLatch isAsked, CountDownLatch answers) {
    PeerRegistry registry =
        new PeerRegistry() {
          @Override
          public Optional<Peer> find(String executor) {
            return Optional.empty();
          }

          @Override
          public boolean isAlive(String executor) {
            isAsked.countDown();
            try {
              answers.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            return false;
          }
        };
    return new BlockFetcher("receiver", transport, pool, limits, registry, new TransportCounters());
  }

  @Test
  void survivesEstimatesOfAnySize() throws InterruptedException {
    List<WantedRange> wanted = new ArrayList<>();
    for (long estimate : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
      wanted.add(new WantedRange(FIRST, new BlockRange(0, 0, 0, 1, 0), estimate));
    }
    try (BlockFetcher fetcher = fetcher(1, 0, Duration.ofMillis(1));
        RemoteBlocks blocks = fetcher.open(wanted)) {
      for (int received = 0; received < wanted.size(); ) {
        Request request = transport.requests.take();
        assertTrue(request.wanted().maxBytes() <= RANGE_BYTES);
        int ranges = request.wanted().ranges().size();
        request.reply(ranges, 10);
        for (int i = 0; i < ranges; i++) {
          blocks.next(GOES_ON).close();
        }
        received += ranges;
      }
      assertNull(blocks.next(GOES_ON));
    }
  }
}
