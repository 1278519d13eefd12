package io.ariadne.shuffle.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose peer announces a message longer than it may be. Spark's decoder, which
 * comes next, would gather up to 2 GiB of it, for peers that are not authenticated, too.
 *
 * <p>During a handshake nothing may follow a message: the peer has to wait for the reply. Spark
 * decrypts only the bytes that it reads after the handshake. Bytes that arrive together with its
 * last message would be taken unencrypted, even from a peer that replays a recorded message.
 */
final class FrameLimit extends ChannelInboundHandlerAdapter implements FrameScanner.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(FrameLimit.class);

  private final FrameScanner scanner = new FrameScanner(this);

  /** Any thread may raise it. */
  private final AtomicLong maxBytes;

  /** The length of the current message. */
  private long length;

  private final BooleanSupplier isAuthenticated;

  /** Whether the current bytes may have one message at most. */
  private boolean isHandshake;

  /** Whether a message of the current bytes is over. */
  private boolean hasEnded;

  private boolean isRefused;

  /**
   * Creates a handler for one connection.
   *
   * @param maxBytes bytes of a message at most, its length included
   * @param isAuthenticated whether the handshake is over, or there is none
   */
  FrameLimit(long maxBytes, BooleanSupplier isAuthenticated) {
    this.isAuthenticated = isAuthenticated;
    this.maxBytes = new AtomicLong(maxBytes);
  }

  /** Allows longer messages, from the next one on that begins. */
  void raise(long bytes) {
    maxBytes.accumulateAndGet(bytes, Math::max);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (!isRefused && mayPass(bytes)) {
      context.fireChannelRead(message);
      return;
    }
    bytes.release();
    if (!isRefused) {
      isRefused = true;
      LOG.warn(
          "closing the connection of {}: a message of {} bytes may not be sent now",
          address(context),
          length);
      var unused = context.close();
    }
  }

  private boolean mayPass(ByteBuf bytes) {
    isHandshake = !isAuthenticated.getAsBoolean();
    hasEnded = false;
    return scanner.scan(bytes) && !(isHandshake && hasEnded && !scanner.isBetweenMessages());
  }

  private static Object address(ChannelHandlerContext context) {
    return context.channel().remoteAddress();
  }

  @Override
  public boolean begins(long lengthInBytes) {
    length = lengthInBytes;
    if (isHandshake && hasEnded) {
      return false;
    }
    return lengthInBytes >= Long.BYTES && lengthInBytes <= maxBytes.get();
  }

  @Override
  public void continues(int count) {}

  @Override
  public void ends() {
    hasEnded = true;
  }
}
