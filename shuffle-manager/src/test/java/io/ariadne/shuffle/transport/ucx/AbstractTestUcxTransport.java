package io.ariadne.shuffle.transport.ucx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.shuffle.transport.AbstractTestTransport;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.Transport;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract over UCX, as far as the machine has it. */
public abstract class AbstractTestUcxTransport extends AbstractTestTransport {
  private final MemoryPool arrivals = MemoryPools.host("arrivals", 256L << 20, true);
  private final List<UcxTransport> transports = new ArrayList<>();

  @BeforeAll
  static void checkForUcx() {
    UcxLibrary.reasonAgainst("127.0.0.1").ifPresent(reason -> Assumptions.abort(reason));
  }

  /** Returns what is done to messages. */
  abstract UcxSecurity security();

  @Override
  protected Transport start(String name, Transport.Handler handler) {
    UcxTransport transport = TestingUcx.start(name, host(), security(), arrivals, handler);
    transports.add(transport);
    return transport;
  }

  @Test
  void receivesOverTcpAfterAFailure() throws InterruptedException {
    receiveAllDuring(() -> fail(transports.get(0).asking()));
    assertNotNull(transports.get(0).asking().failure());
  }

  @Test
  void receivesOverTcpAfterAFailureOfAPeer() throws InterruptedException {
    receiveAllDuring(() -> fail(transports.get(1).serving()));
    assertNotNull(transports.get(1).serving().failure());
  }

  private static void fail(UcxLoop loop) {
    var unused =
        loop.execute(
            () -> {
              throw new AssertionError("a fault of the test");
            });
  }

  @Test
  void receivesIntoTheMemoryOfTheListener() throws Exception {
    List<ByteBuffer> parts = List.of(ByteBuffer.allocate(3), ByteBuffer.allocate(70_000));
    Transport server =
        start(
            "server",
            new Transport.Handler() {
              @Override
              public void handle(ByteBuffer request, Transport.Responder responder) {
                responder.reply(parts, () -> {});
              }

              @Override
              public void disconnected(Object connection) {}
            });
    MemoryPool memory = MemoryPools.host("listener", 1 << 20, true);
    CompletableFuture<Long> allocated = new CompletableFuture<>();
    Peer peer = new Peer("executor", host(), server.port());
    transports
        .get(0)
        .request(
            peer,
            ByteBuffer.allocate(8),
            1 << 17,
            new Transport.Listener() {
              @Override
              public BufferAllocator memory() {
                return memory;
              }

              @Override
              public void received(ReplyBytes bytes) {
                allocated.complete(memory.allocatedBytes());
              }

              @Override
              public void failed(Throwable cause) {
                allocated.completeExceptionally(cause);
              }
            });
    int tag = security().sealsReplies() ? SessionKey.TAG_BYTES : 0;
    long expected = MemoryBuffer.padded(3 + tag) + MemoryBuffer.padded(70_000 + tag);
    assertEquals(expected, allocated.get());
    assertEquals("ucx", transports.get(0).nameFor(peer));
    server.close();
    assertNothingIsLeft(memory);
  }

  @Override
  protected boolean isOwn(Object connection) {
    return !(connection instanceof Channel);
  }

  @Override
  protected void disconnect(Object connection) {
    if (connection instanceof Channel channel) {
      var unused = channel.close(); // of a peer that is asked over TCP
    } else {
      transports.forEach(transport -> transport.disconnect(connection));
    }
  }

  @Override
  protected void afterClose() {
    assertNothingIsLeft(arrivals);
  }
}
