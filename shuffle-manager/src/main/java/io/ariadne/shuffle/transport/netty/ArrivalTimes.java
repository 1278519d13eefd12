package io.ariadne.shuffle.transport.netty;

import io.ariadne.shuffle.transport.ArrivalRate;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Measures how fast the messages of a peer arrive, each from the read with its first byte to the
 * read with its last one. The peer has a message as a whole before it sends it, so that only the
 * link, and the two ends of the connection, determine this time.
 */
final class ArrivalTimes extends ChannelInboundHandlerAdapter implements FrameScanner.Listener {
  private final FrameScanner scanner = new FrameScanner(this);
  private final ArrivalRate rate;

  /** When the current bytes were read. */
  private long readNanos;

  /** When the first bytes of the current message were read. */
  private long beginNanos;

  /** Bytes of the message after those of its first read. */
  private long laterBytes;

  /**
   * Creates a handler for one connection.
   *
   * @param rate gets the measurements
   */
  ArrivalTimes(ArrivalRate rate) {
    this.rate = rate;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    readNanos = System.nanoTime();
    // What is no message is refused by the decoder, which comes next.
    var unused = scanner.scan((ByteBuf) message);
    context.fireChannelRead(message);
  }

  @Override
  public boolean begins(long lengthInBytes) {
    beginNanos = readNanos;
    laterBytes = 0;
    return lengthInBytes >= Long.BYTES;
  }

  @Override
  public void continues(int count) {
    laterBytes += readNanos == beginNanos ? 0 : count;
  }

  @Override
  public void ends() {
    rate.arrived(laterBytes, readNanos - beginNanos);
  }
}
