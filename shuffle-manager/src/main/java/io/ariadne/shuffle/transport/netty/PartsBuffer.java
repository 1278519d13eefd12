package io.ariadne.shuffle.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.spark.network.buffer.ManagedBuffer;

/**
 * Bytes in several pieces that Spark's network library sends without a copy. Their owner learns
 * from the end of the transfer that they may be freed; references are not counted.
 */
final class PartsBuffer extends ManagedBuffer {
  private final ByteBuffer[] parts;
  private final long size;

  PartsBuffer(List<ByteBuffer> parts) {
    this.parts = parts.toArray(ByteBuffer[]::new);
    this.size = parts.stream().mapToLong(ByteBuffer::remaining).sum();
  }

  @Override
  public long size() {
    return size;
  }

  private ByteBuf bytes() {
    return Unpooled.wrappedBuffer(parts.length, parts);
  }

  @Override
  public ByteBuffer nioByteBuffer() {
    return bytes().nioBuffer();
  }

  @Override
  public InputStream createInputStream() {
    return new ByteBufInputStream(bytes());
  }

  @Override
  public ManagedBuffer retain() {
    return this;
  }

  @Override
  public ManagedBuffer release() {
    return this;
  }

  @Override
  public Object convertToNetty() {
    return bytes();
  }

  /** Overrides a method of Spark 4.x; Spark 3.5 has no such encrypted connections. */
  @SuppressWarnings("MissingOverride")
  public Object convertToNettyForSsl() {
    return bytes();
  }
}
