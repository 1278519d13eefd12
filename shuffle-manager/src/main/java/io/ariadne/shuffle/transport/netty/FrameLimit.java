package io.ariadne.shuffle.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose peer announces a message longer than a request may be. Spark's decoder,
 * which comes next, would gather up to 2 GiB of it, for peers that are not authenticated, too.
 *
 * <p>A message begins with its length in bytes, these 8 included, big endian.
 */
final class FrameLimit extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(FrameLimit.class);

  private final long maxBytes;
  private long length;
  private int lengthBytes;

  /** Bytes of the current message that are still to come, its length excluded. */
  private long remaining;

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
    if (!isRefused && isWithinLimit(bytes)) {
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

  private boolean isWithinLimit(ByteBuf bytes) {
    int at = bytes.readerIndex();
    while (at < bytes.writerIndex()) {
      if (remaining > 0) {
        int count = (int) Math.min(remaining, bytes.writerIndex() - at);
        remaining -= count;
        at += count;
        continue;
      }
      length = length << Byte.SIZE | Byte.toUnsignedLong(bytes.getByte(at++));
      if (++lengthBytes == Long.BYTES) {
        if (length < Long.BYTES || length > maxBytes) {
          return false;
        }
        remaining = length - Long.BYTES;
        length = 0;
        lengthBytes = 0;
      }
    }
    return true;
  }
}
