package io.ariadne.shuffle.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.util.AbstractFileRegion;

/**
 * Stands for bytes that could not be made for want of memory. Sending it fails, upon which the
 * connection is closed, as Spark closes it when a server has too much to send: whoever has asked
 * takes that for a fault of the network, connects again after {@code spark.shuffle.io.retryWait},
 * and asks for all blocks that are still missing, {@code spark.shuffle.io.maxRetries} times. An
 * exception instead of a buffer would be a failed fetch at once. Thread-safe.
 *
 * <p>Source: Spark's {@code MessageEncoder} and {@code ChunkFetchRequestHandler} (package {@code
 * org.apache.spark.network}), {@code RetryingBlockTransferor}.
 */
final class BackPressureBlock extends ManagedBuffer {
  private final String why;

  /**
   * Creates what is sent in place of bytes.
   *
   * @param why said in the log of this process
   */
  BackPressureBlock(String why) {
    this.why = why;
  }

  /** Returns the least that has to be sent, without which sending would not fail. */
  @Override
  public long size() {
    return 1;
  }

  private IOException refusal() {
    return new IOException(why);
  }

  @Override
  public ByteBuffer nioByteBuffer() throws IOException {
    throw refusal();
  }

  @Override
  public InputStream createInputStream() throws IOException {
    throw refusal();
  }

  @Override
  public Object convertToNetty() {
    return new Region();
  }

  /** Overrides nothing with Spark 3.5, which has no encrypted connections of this kind. */
  @SuppressWarnings("MissingOverride")
  public Object convertToNettyForSsl() {
    return new InputStream() {
      @Override
      public int available() throws IOException {
        throw refusal();
      }

      @Override
      public int read() throws IOException {
        throw refusal();
      }
    };
  }

  @Override
  public ManagedBuffer retain() {
    return this;
  }

  @Override
  public ManagedBuffer release() {
    return this;
  }

  /** Fails when it is sent. */
  private final class Region extends AbstractFileRegion {
    @Override
    public long position() {
      return 0;
    }

    @Override
    public long count() {
      return size();
    }

    @Override
    public long transferred() {
      return 0;
    }

    @Override
    public long transferTo(WritableByteChannel target, long position) throws IOException {
      throw refusal();
    }

    @Override
    protected void deallocate() {
      // has nothing
    }
  }
}
