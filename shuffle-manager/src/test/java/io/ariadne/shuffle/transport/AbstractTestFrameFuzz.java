package io.ariadne.shuffle.transport;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Sends damaged messages of a protocol to an executor, and has it receive some. After each round
 * the executor answers a valid request, and nothing is left in memory.
 *
 * <p>The system property {@code ariadne.fuzz.cases} sets the number of rounds, {@code
 * ariadne.fuzz.frames.seconds} their time instead, and {@code ariadne.fuzz.seed} the first round,
 * so that one round can run again alone.
 */
public abstract class AbstractTestFrameFuzz extends TransportFixture {
  private static final long CASES = Long.getLong("ariadne.fuzz.cases", 100);
  private static final long SECONDS = Long.getLong("ariadne.fuzz.frames.seconds", 0);
  private static final long FIRST = Long.getLong("ariadne.fuzz.seed", System.nanoTime());
  private static final long CASES_PER_REPORT = 1000;

  /** Tears neighbouring seeds apart: their generators begin alike. */
  private static final long SCRAMBLE = 0x9E3779B97F4A7C15L;

  private static final Duration STANDSTILL = Duration.ofMinutes(2);
  private static final long POOL_BYTES = 32L << 20;

  /** What a round may allocate besides the pools; the largest length fields announce far more. */
  private static final long MAX_ALLOCATED_BYTES = 128L << 20;

  private static final int MAX_ROW_BYTES = 2000;
  private static final Duration REPLY_TIMEOUT = Duration.ofMillis(300);

  /** How many messages of each kind were sent. */
  private long requests;

  private final AtomicLong replies = new AtomicLong();
  private long frames;

  /** Requests that came over connections of the protocol. */
  private final AtomicLong own = new AtomicLong();

  private Sender sender;

  /** Sends damaged replies. */
  private Sender liar;

  private final Random lies = new Random(0);

  /** The ranges of the current round. */
  private Wanted wanted;

  /**
   * Sends damaged messages of the protocol.
   *
   * @param peer the executor; it, or something between, also answers {@link #readThrough}
   * @param requests valid requests that it would answer
   * @return the number of messages
   */
  protected abstract int attack(Peer peer, List<byte[]> requests) throws Exception;

  /** Returns whether a connection is one of the protocol that is tested. */
  protected boolean isOwn(Object connection) {
    return true;
  }

  /** Returns who answers valid requests. */
  protected final Transport.Handler server() {
    return sender.server;
  }

  /** Ends what the attack has left open, after the valid request. */
  protected void afterRound() throws Exception {}

  @Override
  protected long poolBytes() {
    return POOL_BYTES;
  }

  @Test
  void survivesDamagedMessages() {
    System.out.printf(
        "%s: replay with -Dariadne.fuzz.seed=%d -Dariadne.fuzz.cases=%d%n",
        getClass().getSimpleName(), FIRST, CASES);
    long start = System.nanoTime();
    long end = start + Duration.ofSeconds(SECONDS).toNanos();
    sender = new Sender(this::watching);
    liar = new Sender(this::lying);
    AllocationMeter meter = new AllocationMeter();
    long done = 0;
    while (SECONDS > 0 ? System.nanoTime() < end : done < CASES) {
      long seed = FIRST + done;
      try {
        assertTimeoutPreemptively(STANDSTILL, () -> round(seed, meter));
      } catch (Throwable e) {
        throw new AssertionError(
            "failed with -Dariadne.fuzz.seed=" + seed + " -Dariadne.fuzz.cases=1", e);
      }
      done++;
      if (done % CASES_PER_REPORT == 0) {
        report(done, start);
      }
    }
    report(done, start);
  }

  private void report(long rounds, long start) {
    System.out.printf(
        "%s: %d rounds in %d s: %d requests, %d replies and %d frames were damaged; netty has %d"
            + " bytes%n",
        getClass().getSimpleName(),
        rounds,
        Duration.ofNanos(System.nanoTime() - start).toSeconds(),
        requests,
        replies.get(),
        frames,
        AllocationMeter.nettyBytes());
  }

  private void round(long seed, AllocationMeter meter) throws Exception {
    random.setSeed(seed * SCRAMBLE);
    wanted = new Wanted();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      wanted.add(sender, random.nextInt(20), 1 + random.nextInt(MAX_ROW_BYTES));
    }
    List<byte[]> valid = validRequests();
    switch (random.nextInt(4)) {
      case 0 -> sendDamagedRequests(valid);
      case 1 -> receiveDamagedReplies();
      default -> frames += attack(sender.peer(), valid);
    }
    own.set(0);
    readAll(limits(4 << 20, 1 << 20, 2, 0), wanted);
    assertTrue(own.get() > 0, "no valid request came over the protocol that is tested");
    afterRound();
    wanted.ranges.forEach(range -> sender.blocks.remove(range.range()));
    awaitNothing();
    long allocated = meter.allocatedSinceLastCall();
    assertTrue(allocated < MAX_ALLOCATED_BYTES, allocated + " bytes were allocated");
    long netty = AllocationMeter.nettyBytes();
    assertTrue(netty < MAX_ALLOCATED_BYTES, "netty has " + netty + " bytes");
  }

  private void awaitNothing() {
    for (Sender each : senders) {
      while (each.pool.allocatedBytes() > 0) {
        sleep();
      }
    }
    while (pool.allocatedBytes() > 0) {
      sleep();
    }
  }

  private List<byte[]> validRequests() {
    List<byte[]> requests = new ArrayList<>();
    List<BlockRange> ranges = new ArrayList<>();
    for (WantedRange each : wanted.ranges) {
      ranges.add(each.range());
      long rate = random.nextBoolean() ? 0 : 1L << random.nextInt(40);
      long maxBytes = 1L + random.nextInt(1 << 20);
      requests.add(bytes(new BlockRequest(List.copyOf(ranges), maxBytes, rate).encoded()));
    }
    List<BlockRange> noise = List.of(ProbeSource.range(random.nextInt(100)));
    requests.add(bytes(new BlockRequest(noise, 1 << 20, 0).encoded()));
    return requests;
  }

  /** Returns a copy. */
  protected static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** Returns one of some messages. */
  protected final byte[] any(List<byte[]> messages) {
    return messages.get(random.nextInt(messages.size()));
  }

  /** Sends requests of which only the content is damaged, as an authenticated peer can. */
  private void sendDamagedRequests(List<byte[]> valid) throws InterruptedException {
    FrameMutator mutator = new FrameMutator(random);
    int count = 1 + random.nextInt(8);
    CountDownLatch open = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      byte[] request = mutator.mutate(any(valid), any(valid));
      requests++;
      transport.request(
          sender.peer(),
          ByteBuffer.wrap(request),
          BlockReply.maxBytes(2 << 20),
          new Transport.Listener() {
            @Override
            public void received(ReplyBytes bytes) {
              open.countDown();
            }

            @Override
            public void failed(Throwable cause) {
              open.countDown();
            }
          });
    }
    open.await();
  }

  /** Asks an executor whose replies are damaged. */
  private void receiveDamagedReplies() throws InterruptedException {
    lies.setSeed(random.nextLong());
    wanted.ranges.forEach(each -> liar.blocks.add(each.range(), sender.blocks.rows(each.range())));
    readThrough(liar.peer());
    wanted.ranges.forEach(each -> liar.blocks.remove(each.range()));
  }

  /** Reads the ranges of the round from a peer; they may be wrong, or not be had. */
  protected final void readThrough(Peer peer) throws InterruptedException {
    readThrough(transport, peer);
  }

  /** Reads the ranges of the round over a transport from a peer. */
  protected final void readThrough(Transport over, Peer peer) throws InterruptedException {
    List<WantedRange> ranges = new ArrayList<>();
    for (WantedRange each : wanted.ranges) {
      ranges.add(new WantedRange(peer, each.range(), each.estimatedBytes()));
    }
    FetchLimits limits =
        new FetchLimits(4 << 20, 1 << 20, 2, random.nextInt(3), PAUSE, REPLY_TIMEOUT);
    try (BlockFetcher fetcher = fetcher(over, pool, limits);
        RemoteBlocks blocks = fetcher.open(ranges)) {
      for (ReceivedBlock block = blocks.next(GOES_ON);
          block != null;
          block = blocks.next(GOES_ON)) {
        decompress(block);
      }
    } catch (FetchFailure e) {
      // What is damaged may be refused.
    }
  }

  /** Decompresses a block that may be damaged or say that it is longer than memory. */
  private void decompress(ReceivedBlock block) {
    try {
      block.bytes().decompress(pool).close();
    } catch (EngineException e) {
      boolean isRefused = e.code() == ErrorCode.CORRUPT_DATA || EngineException.isOutOfMemory(e);
      assertTrue(isRefused, e.toString());
    }
  }

  private Transport.Handler watching(Transport.Handler server) {
    return new Transport.Handler() {
      @Override
      public void handle(ByteBuffer request, Transport.Responder responder) {
        if (isOwn(responder.connection())) {
          own.incrementAndGet();
        }
        server.handle(request, responder);
      }

      @Override
      public void disconnected(Object connection) {
        server.disconnected(connection);
      }
    };
  }

  /** Damages the replies of a server. */
  private Transport.Handler lying(Transport.Handler server) {
    return new ChangedReplies(server, this::damaged);
  }

  private List<ByteBuffer> damaged(List<ByteBuffer> parts) {
    List<ByteBuffer> damaged = new ArrayList<>();
    synchronized (lies) {
      FrameMutator mutator = new FrameMutator(lies);
      for (ByteBuffer part : parts) {
        // The head, which comes first, decides more than the blocks.
        boolean isDamaged = lies.nextInt(4) < (damaged.isEmpty() ? 3 : 1);
        byte[] plain = bytes(part);
        damaged.add(ByteBuffer.wrap(isDamaged ? mutator.mutate(plain, plain) : plain));
      }
      replies.incrementAndGet();
    }
    return damaged;
  }
}
