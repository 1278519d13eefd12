package io.ariadne.shuffle.spark;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.util.AbstractFileRegion;

/**
 * The answer to a fetch when there is no memory to encode the blocks. Sending it fails, and Spark
 * closes the connection, as it does when a server has too much to send. The fetching executor
 * treats this as a network error: it connects again after {@code spark.shuffle.io.retryWait} and
 * asks for all blocks that are still missing, up to {@code spark.shuffle.io.maxRetries} times. If
 * the resolver threw an exception instead, the fetch would fail at once. Thread-safe.
 *
 * <p>Source: Spark's {@code MessageEncoder} and {@code ChunkFetchRequestHandler} (package {@code
 * org.apache.spark.network}), {@code RetryingBlockTransferor}.
 */
final class BackPressureBlock extends ManagedBuffer {
  private final String why;

  /**
   * Creates an answer.
   *
   * @param why the reason, for the log of this process
   */
  BackPressureBlock(String why) {
    this.why = why;
  }

  /** Returns 1: without a byte to send, sending would not fail. */
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

  /** Overrides a method of Spark 4.x; Spark 3.5 has no such encrypted connections. */
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

  /** A region whose transfer fails. */
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
      // holds no resources
    }
  }
}
