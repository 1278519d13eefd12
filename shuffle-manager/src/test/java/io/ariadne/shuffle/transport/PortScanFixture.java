package io.ariadne.shuffle.transport;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;

/** An executor with blocks for those that know a secret. */
public abstract class PortScanFixture extends TransportFixture {
  private final AtomicInteger requests = new AtomicInteger();
  private Sender sender;
  private Wanted wanted;

  @BeforeEach
  void serve() {
    sender =
        new Sender(
            server ->
                new Transport.Handler() {
                  @Override
                  public void handle(ByteBuffer request, Transport.Responder responder) {
                    requests.incrementAndGet();
                    server.handle(request, responder);
                  }

                  @Override
                  public void disconnected(Object connection) {
                    server.disconnected(connection);
                  }
                });
    wanted = new Wanted();
    for (int i = 0; i < 10; i++) {
      wanted.add(sender, 1 + random.nextInt(10), 1000);
    }
  }

  /** Returns where the executor listens. */
  protected final Peer executor() {
    return sender.peer();
  }

  /** Returns how many requests the executor has taken. */
  protected final int requests() {
    return requests.get();
  }

  /** Returns how many bytes of blocks the executor has sent. */
  protected final long sentBytes() {
    return sender.counters.sentBytes().sum();
  }

  /** Returns a request for all blocks. */
  protected final byte[] validRequest() {
    BlockRequest request =
        new BlockRequest(
            wanted.ranges.stream().map(WantedRange::range).toList(), BlockReply.MAX_BYTES, 0);
    return request.encoded().array();
  }

  /** Has an executor that knows the secret read all blocks. */
  protected final void readAll() throws InterruptedException {
    readAll(limits(4 << 20, 1 << 20, 2, 0), wanted);
  }

  /** Has the same executor read all blocks from another address. */
  protected final void readAllFrom(Peer peer) throws InterruptedException {
    Wanted moved = new Wanted();
    wanted.ranges.forEach(
        each -> moved.ranges.add(new WantedRange(peer, each.range(), each.estimatedBytes())));
    moved.expected.addAll(wanted.expected);
    moved.rowCounts.addAll(wanted.rowCounts);
    readAll(limits(4 << 20, 1 << 20, 2, 0), moved);
  }
}
