package io.ariadne.shuffle.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose peer announces a message longer than a request may be. Spark's decoder,
 * which comes next, would gather up to 2 GiB of it, for peers that are not authenticated, too.
 */
final class FrameLimit extends ChannelInboundHandlerAdapter implements FrameScanner.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(FrameLimit.class);

  private final FrameScanner scanner = new FrameScanner(this);
  private final long maxBytes;

  /** The length of the current message. */
  private long length;

  private boolean isRefused;

  /**
   * Creates a handler for one connection.
   *
   * @param maxBytes bytes of a message at most, its length included
   */
  FrameLimit(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (!isRefused && scanner.scan(bytes)) {
      context.fireChannelRead(message);
      return;
    }
    bytes.release();
    if (!isRefused) {
      isRefused = true;
      LOG.warn("closing the connection of {}: {} bytes are no request", address(context), length);
      var unused = context.close();
    }
  }

  private static Object address(ChannelHandlerContext context) {
    return context.channel().remoteAddress();
  }

  @Override
  public boolean begins(long lengthInBytes) {
    length = lengthInBytes;
    return lengthInBytes >= Long.BYTES && lengthInBytes <= maxBytes;
  }

  @Override
  public void continues(int count) {}

  @Override
  public void ends() {}
}
