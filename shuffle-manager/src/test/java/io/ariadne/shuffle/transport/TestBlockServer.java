package io.ariadne.shuffle.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.shuffle.codec.Codec;
import io.ariadne.shuffle.codec.CompressionPolicy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections take turns, and one that does not take its replies is left out. */
@Timeout(60)
class TestBlockServer {
  private static final int ROW_BYTES = 100;
  private static final int STALL_MILLIS = 3000;

  private final MemoryPool pool = MemoryPools.host("sender", 64 << 20, true);
  private final TestingBlocks blocks = new TestingBlocks(pool, 1);

  /** Whether counting what is sent fails. */
  private volatile boolean hasNoHeap;

  private final TransportCounters counters = counters();

  /** Connections that the server has closed. */
  private final LinkedBlockingQueue<String> disconnected = new LinkedBlockingQueue<>();

  /** One thread, so that what it does not do first it does not do at all. */
  private final BlockServer server =
      new BlockServer(
          "test",
          blocks,
          pool,
          CompressionPolicy.always(Codec.NONE),
          counters,
          Duration.ofMillis(STALL_MILLIS),
          1);

  /** Replies in the order in which they come. */
  private final LinkedBlockingQueue<Reply> replies = new LinkedBlockingQueue<>();

  /** Lets the thread of the server continue after {@link #hold}. */
  private final List<CountDownLatch> holds = new ArrayList<>();

  private int requests;

  private record Reply(String connection, BlockReply head, long maxBytes, Runnable whenSent) {}

  @AfterEach
  void close() {
    // Of a test that has failed while it held the thread: the server would wait for it forever.
    holds.forEach(CountDownLatch::countDown);
    server.close();
    replies.forEach(reply -> reply.whenSent().run());
    AbstractTestTransport.assertNothingIsLeft(pool);
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      assertFalse(thread.getName().startsWith("test-serve-"), thread.getName());
    }
  }

  private TransportCounters counters() {
    LongAdder counts = new LongAdder();
    LongAdder mayFail =
        new LongAdder() {
          private static final long serialVersionUID = 1;

          @Override
          public void add(long bytes) {
            if (hasNoHeap) {
              throw new OutOfMemoryError("of the test");
            }
          }
        };
    return new TransportCounters(mayFail, counts, counts, counts, counts, counts, counts, counts);
  }

  private static BlockRange range(int number) {
    return new BlockRange(number, 0, 0, 1, 0);
  }

  /** Asks for a range of its own with one row; the shuffle's number tells requests apart. */
  private void ask(String connection, long maxBytes) {
    BlockRange range = range(requests++);
    blocks.add(range, List.of(new byte[ROW_BYTES]));
    BlockRequest request = new BlockRequest(List.of(range), maxBytes, 0);
    server.handle(request.encoded(), responder(connection, request));
  }

  private Transport.Responder responder(String connection, BlockRequest request) {
    return new Transport.Responder() {
      @Override
      public Object connection() {
        return connection;
      }

      @Override
      public String remoteAddress() {
        return connection;
      }

      @Override
      public void reply(List<ByteBuffer> parts, Runnable whenSent) {
        if (connection.equals("broken")) {
          whenSent.run();
          throw new OutOfMemoryError("of the test");
        }
        BlockReply head = BlockReply.decode(new ReplyBytes(parts), request);
        replies.add(new Reply(connection, head, request.maxBytes(), whenSent));
      }

      @Override
      public void disconnect() {
        disconnected.add(connection);
      }
    };
  }

  /** Holds the thread of the server at the next request. */
  private CountDownLatch hold(String connection) throws InterruptedException {
    CountDownLatch isHeld = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    holds.add(goesOn);
    blocks.beforeBlock(
        range -> {
          isHeld.countDown();
          try {
            goesOn.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    ask(connection, 1000);
    isHeld.await();
    return goesOn;
  }

  private String takeAndSend() throws InterruptedException {
    Reply reply = replies.take();
    assertEquals(BlockReply.Status.BLOCKS, reply.head().status());
    reply.whenSent().run();
    return reply.connection();
  }

  @Test
  void aConnectionThatTakesNoRefusalsGetsNoMoreOfThem() throws InterruptedException {
    CountDownLatch goesOn = hold("a");
    for (int i = 0; i < 3 * BlockServer.MAX_WAITING; i++) {
      ask("a", 1000);
    }
    assertEquals(BlockServer.MAX_WAITING, replies.size());
    Reply refusal = replies.take();
    assertEquals(BlockReply.Status.BUSY, refusal.head().status());
    refusal.whenSent().run();
    ask("a", 1000);
    ask("a", 1000);
    assertEquals(BlockServer.MAX_WAITING, replies.size());
    replies.forEach(reply -> reply.whenSent().run());
    replies.clear();
    goesOn.countDown();
    for (int i = 0; i <= BlockServer.MAX_WAITING; i++) {
      assertEquals("a", takeAndSend());
    }
  }

  @Test
  void connectionsTakeTurns() throws InterruptedException {
    CountDownLatch goesOn = hold("a");
    for (String connection : List.of("a", "a", "a", "b", "b", "c")) {
      ask(connection, 1000);
    }
    goesOn.countDown();
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      order.add(takeAndSend());
    }
    assertEquals(List.of("a", "a", "b", "c", "a", "b", "a"), order);
  }

  @Test
  void leavesConnectionsOutThatTakeNothing() throws InterruptedException {
    long bytes = BlockServer.MAX_UNSENT_BYTES / 2;
    for (int i = 0; i < 3; i++) {
      ask("slow", bytes);
    }
    Reply first = replies.take();
    Reply second = replies.take();
    for (int i = 0; i < 5; i++) {
      ask("fast", bytes);
      assertEquals("fast", takeAndSend());
    }
    first.whenSent().run();
    assertEquals("slow", takeAndSend());
    second.whenSent().run();
  }

  @Test
  void closesConnectionsThatTakeNothingForLong() throws InterruptedException {
    ask("frozen", 1000);
    Reply reply = replies.take();
    for (int i = 0; i < 2; i++) {
      ask("live", 1000);
      assertEquals("live", takeAndSend());
    }
    assertEquals("frozen", disconnected.take());
    reply.whenSent().run();
    ask("live", 1000);
    assertEquals("live", takeAndSend());
    assertFalse(disconnected.contains("live"));
  }

  @Test
  void aFailureOfABlockFailsItsRequest() throws InterruptedException {
    blocks.beforeBlock(
        range -> {
          throw new OutOfMemoryError("of the test");
        });
    ask("a", 1000);
    Reply failed = replies.take();
    assertEquals(BlockReply.Status.FAILED, failed.head().status());
    assertEquals("java.lang.OutOfMemoryError: of the test", failed.head().message());
    failed.whenSent().run();
    blocks.beforeBlock(range -> {});
    ask("a", 1000);
    assertEquals("a", takeAndSend());
  }

  /** Such as a lack of heap. */
  @Test
  void aFailureOfAReplyEndsTheConnectionAndNotTheThread() throws InterruptedException {
    ask("broken", 1000);
    assertEquals("broken", disconnected.take());
    hasNoHeap = true;
    ask("a", 1000);
    assertEquals("a", disconnected.take());
    hasNoHeap = false;
    ask("b", 1000);
    assertEquals("b", takeAndSend());
    assertEquals(0, replies.size());
  }

  @Test
  void leavesConnectionsOutWhoseRepliesMayBeOfAnyLength() throws InterruptedException {
    ask("greedy", 1);
    Reply small = replies.take();
    ask("greedy", Long.MAX_VALUE);
    ask("greedy", Long.MAX_VALUE);
    Reply large = replies.take();
    ask("fast", 1000);
    assertEquals("fast", takeAndSend());
    small.whenSent().run();
    ask("fast", 1000);
    assertEquals("fast", takeAndSend());
    large.whenSent().run();
    assertEquals("greedy", takeAndSend());
  }

  @Test
  void tellsPeersWithTooManyRequestsToAskLater() throws InterruptedException {
    CountDownLatch goesOn = hold("a");
    for (int i = 0; i < BlockServer.MAX_WAITING; i++) {
      ask("a", 1000);
    }
    assertTrue(replies.isEmpty());
    ask("a", 1000);
    assertEquals(BlockReply.Status.BUSY, replies.take().head().status());
    ask("b", 1000);
    assertTrue(replies.isEmpty());
    goesOn.countDown();
    for (int i = 0; i < BlockServer.MAX_WAITING + 2; i++) {
      takeAndSend();
    }
  }

  @Test
  void forgetsTheRequestsOfALostConnection() throws InterruptedException {
    CountDownLatch goesOn = hold("a");
    ask("lost", 1000);
    ask("a", 1000);
    ask("lost", 1000);
    server.disconnected("lost");
    ask("b", 1000);
    goesOn.countDown();
    assertEquals("a", takeAndSend());
    assertEquals("a", takeAndSend());
    assertEquals("b", takeAndSend());
    // The name may be used again.
    ask("lost", 1000);
    assertEquals("lost", takeAndSend());
  }

  @Test
  void answersNothingOnceClosed() throws InterruptedException {
    CountDownLatch goesOn = hold("a");
    ask("a", 1000);
    ask("b", 1000);
    Thread closing = new Thread(server::close);
    closing.start();
    // From the moment on at which it forgets waiting requests, the server refuses new ones.
    while (replies.isEmpty()) {
      ask("c", 1000);
      AbstractTestTransport.sleep();
    }
    assertEquals(BlockReply.Status.FAILED, replies.take().head().status());
    goesOn.countDown();
    closing.join();
    assertEquals("a", takeAndSend());
    assertTrue(replies.isEmpty());
    ask("a", 1000);
    assertEquals(BlockReply.Status.FAILED, replies.take().head().status());
  }

  @Test
  void freesRepliesThatAreSentAfterTheEnd() throws InterruptedException {
    ask("a", 1000);
    Reply late = replies.take();
    server.close();
    assertTrue(pool.allocatedBytes() > 0);
    late.whenSent().run();
    assertEquals(0, pool.allocatedBytes());
  }

  @Test
  void refusesWhatIsNoRequest() throws InterruptedException {
    BlockRequest request = new BlockRequest(List.of(range(0)), 1, 0);
    server.handle(ByteBuffer.allocate(20), responder("a", request));
    Reply reply = replies.take();
    assertEquals(BlockReply.Status.FAILED, reply.head().status());
  }

  /** What a reply has when its source fails is sent: a request that is repeated gets further. */
  @Test
  void sendsWhatPrecedesAFailure() throws InterruptedException {
    BlockRange range = range(1000);
    blocks.add(range, Collections.nCopies(5, new byte[ROW_BYTES]));
    int[] calls = {0};
    blocks.beforeBlock(
        each -> {
          if (++calls[0] == 3) {
            throw new IllegalStateException("a fault of the test");
          }
        });
    BlockRequest request = new BlockRequest(List.of(range), 1000, 0);
    server.handle(request.encoded(), responder("a", request));
    Reply reply = replies.take();
    assertEquals(BlockReply.Status.BLOCKS, reply.head().status());
    assertEquals(2, reply.head().doneRows());
    assertEquals(0, reply.head().doneRanges());
    reply.whenSent().run();
  }
}
