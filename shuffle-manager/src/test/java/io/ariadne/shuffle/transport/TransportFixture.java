package io.ariadne.shuffle.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.shuffle.codec.Codec;
import io.ariadne.shuffle.codec.CompressedBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Executors that send blocks and one that receives them; checks at the end that nothing is left.
 */
public abstract class TransportFixture {
  private static final long POOL_BYTES = 256L << 20;
  private static final Duration LONG = Duration.ofMinutes(5);
  static final Duration PAUSE = Duration.ofMillis(1);
  static final Runnable GOES_ON = () -> {};

  /** From a printed seed. */
  protected final Random random = RandomBatches.create().random();

  final List<Sender> senders = new ArrayList<>();
  MemoryPool pool;
  private FetchStatistics statistics;
  Transport transport;
  private int shuffles;

  /** Starts a transport on a port of this host. */
  protected abstract Transport start(String name, Transport.Handler handler);

  /** Ends a connection that a {@link Transport.Responder} has named. */
  protected abstract void disconnect(Object connection);

  /** Returns the memory of each executor. */
  protected long poolBytes() {
    return POOL_BYTES;
  }

  /** Returns the host under which peers reach a transport. */
  protected String host() {
    return "127.0.0.1";
  }

  /** Frees what the transports of a test share. */
  protected void afterClose() {}

  @BeforeEach
  void open() {
    pool = MemoryPools.host("receiver", poolBytes(), true);
    transport =
        start(
            "receiver",
            new Transport.Handler() {
              @Override
              public void handle(ByteBuffer request, Transport.Responder responder) {
                throw new AssertionError("the receiver serves no requests");
              }

              @Override
              public void disconnected(Object connection) {}
            });
  }

  @AfterEach
  void close() {
    boolean isReceiverFirst = random.nextBoolean();
    if (isReceiverFirst) {
      transport.close();
    }
    senders.forEach(Sender::close);
    if (!isReceiverFirst) {
      transport.close();
    }
    for (Sender sender : senders) {
      assertNothingIsLeft(sender.pool);
    }
    assertNothingIsLeft(pool);
    afterClose();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      assertFalse(thread.getName().contains("-serve-"), thread.getName());
    }
  }

  /** Waits for the end of sending, which frees blocks; a leak ends in the timeout of the test. */
  protected static void assertNothingIsLeft(MemoryPool pool) {
    while (pool.allocatedBytes() > 0) {
      sleep();
    }
    pool.close();
  }

  static void sleep() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      throw new AssertionError("nothing ends: the test takes too long", e);
    }
  }

  /** An executor that serves blocks. */
  final class Sender {
    final MemoryPool pool = MemoryPools.host("sender", poolBytes(), true);
    final TestingBlocks blocks = new TestingBlocks(pool, 1 + random.nextInt(20));
    final TransportCounters counters = new TransportCounters();
    final BlockServer server =
        new BlockServer(
            "sender",
            new ProbeSource(blocks, pool),
            pool,
            new RandomCompression(random.nextLong()),
            counters,
            Duration.ofMinutes(1),
            2);
    final Transport transport;

    /** Creates an executor whose requests pass a handler of the test. */
    Sender(UnaryOperator<Transport.Handler> handler) {
      transport = start("sender", handler.apply(server));
      senders.add(this);
    }

    Peer peer() {
      return new Peer("executor", host(), transport.port());
    }

    void close() {
      boolean isServerFirst = random.nextBoolean();
      if (isServerFirst) {
        server.close();
      }
      transport.close();
      server.close();
    }
  }

  Sender sender() {
    return new Sender(handler -> handler);
  }

  /** Copies the bytes of a block, which are checked if they are compressed. */
  private void copy(CompressedBytes block, byte[] target) {
    if (block.codec() == Codec.NONE) {
      Memory.copy(block.bytes().address(), target, 0, target.length);
      return;
    }
    try (MemoryBuffer plain =
        block.codec().decompress(block.bytes(), block.lengthInBytes(), pool)) {
      Memory.copy(plain.address(), target, 0, target.length);
    }
  }

  /** Ranges and what is expected of them. */
  final class Wanted {
    final List<WantedRange> ranges = new ArrayList<>();
    final List<byte[]> expected = new ArrayList<>();
    final List<Integer> rowCounts = new ArrayList<>();

    /** Adds rows to a sender's blocks. */
    void add(Sender sender, int rows, int maxRowBytes) {
      int partition = random.nextInt(100);
      BlockRange range =
          new BlockRange(shuffles++, random.nextLong() >>> 1, partition, partition + 1, 0);
      List<byte[]> content = new ArrayList<>();
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (int i = 0; i < rows; i++) {
        byte[] row = new byte[1 + random.nextInt(maxRowBytes)];
        // Some can be compressed.
        if (random.nextBoolean()) {
          random.nextBytes(row);
        }
        content.add(row);
        all.writeBytes(row);
      }
      sender.blocks.add(range, content);
      // Estimates are wrong now and then.
      long estimate = random.nextInt(4) == 0 ? random.nextInt(1 << 20) : all.size();
      ranges.add(new WantedRange(sender.peer(), range, estimate));
      expected.add(all.toByteArray());
      rowCounts.add(rows);
    }

    void check(List<ReceivedBlock> received, int index) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      int rows = 0;
      for (ReceivedBlock block : received) {
        if (block.index() == index) {
          byte[] bytes = new byte[(int) block.bytes().lengthInBytes()];
          copy(block.bytes(), bytes);
          all.writeBytes(bytes);
          rows += block.rows();
        }
      }
      assertArrayEquals(expected.get(index), all.toByteArray(), "range " + index);
      assertEquals(rowCounts.get(index), rows, "rows of range " + index);
    }
  }

  FetchLimits limits(long inFlight, long requestBytes, int requestsPerPeer, int retries) {
    return new FetchLimits(inFlight, requestBytes, requestsPerPeer, retries, PAUSE, LONG);
  }

  FetchLimits limits() {
    return limits(8 << 20, 1 << 20, 2, 3);
  }

  /** Returns a fetcher for which all executors are alive. */
  static BlockFetcher fetcher(Transport transport, MemoryPool pool, FetchLimits limits) {
    return fetcher(transport, pool, limits, true);
  }

  static BlockFetcher fetcher(
      Transport transport, MemoryPool pool, FetchLimits limits, boolean areAlive) {
    return new BlockFetcher(
        "receiver", transport, pool, limits, registry(areAlive), new TransportCounters());
  }

  static PeerRegistry registry(boolean areAlive) {
    return new PeerRegistry() {
      @Override
      public Optional<Peer> find(String executor) {
        return Optional.empty();
      }

      @Override
      public boolean isAlive(String executor) {
        return areAlive;
      }
    };
  }

  /** Returns what the last {@link #readAll} has cost. */
  final FetchStatistics statistics() {
    return statistics;
  }

  /** Returns how many requests the last {@link #readAll} has repeated. */
  final long repeatedRequests() {
    return statistics.repeatedRequests();
  }

  /** Reads all blocks and checks them; returns what the receiver has counted. */
  TransportCounters readAll(FetchLimits limits, Wanted wanted) throws InterruptedException {
    List<ReceivedBlock> received = new ArrayList<>();
    try (BlockFetcher fetcher = fetcher(transport, pool, limits);
        RemoteBlocks blocks = fetcher.open(wanted.ranges)) {
      for (ReceivedBlock block = blocks.next(GOES_ON);
          block != null;
          block = blocks.next(GOES_ON)) {
        received.add(block);
      }
      for (int i = 0; i < wanted.ranges.size(); i++) {
        wanted.check(received, i);
      }
      statistics = blocks.statistics();
      return fetcher.counters();
    } finally {
      received.forEach(ReceivedBlock::close);
    }
  }

  /** Reads until a range cannot be had. */
  FetchFailure readToFailure(FetchLimits limits, Wanted wanted) {
    try (BlockFetcher fetcher = fetcher(transport, pool, limits);
        RemoteBlocks blocks = fetcher.open(wanted.ranges)) {
      return readToFailure(blocks);
    }
  }

  static FetchFailure readToFailure(RemoteBlocks blocks) {
    return assertThrows(
        FetchFailure.class,
        () -> {
          for (ReceivedBlock block = blocks.next(GOES_ON);
              block != null;
              block = blocks.next(GOES_ON)) {
            block.close();
          }
        });
  }
}
