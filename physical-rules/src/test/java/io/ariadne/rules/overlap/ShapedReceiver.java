package io.ariadne.rules.overlap;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.event.Threads;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.shuffle.format.BlockConcatenator;
import io.ariadne.shuffle.format.EncodedBlock;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The other end of a shuffle: a loopback socket whose receiver takes bytes no faster than a {@link
 * ShapedLink}, then checks and decodes each block. One thread sends.
 */
final class ShapedReceiver implements AutoCloseable {
  /** Bytes that the operating system buffers at each end, about. */
  private static final int SOCKET_BYTES = 256 << 10;

  private static final int CHUNK_BYTES = 128 << 10;
  private static final long POOL_BYTES = 256 << 20;

  /** A read that takes longer has waited for the sender. */
  private static final long WAITED_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final ShapedLink link;
  private final Schema schema;
  private final MemoryPool pool = MemoryPools.host("receiver", POOL_BYTES);
  private final SocketChannel sender;
  private final SocketChannel receiver;
  private final Thread thread;
  private final ByteBuffer sendHeader = ByteBuffer.allocateDirect(Long.BYTES);
  private long sentBytes;

  @GuardedBy("this")
  private long receivedBytes;

  @GuardedBy("this")
  private boolean isOver;

  @GuardedBy("this")
  private IOException failure;

  private long rows;
  private long sum;

  /**
   * Connects the two ends.
   *
   * @param link the rate of the receiver
   * @param schema columns of the blocks, the first one of 64-bit integers
   */
  ShapedReceiver(ShapedLink link, Schema schema) throws IOException {
    this.link = link;
    this.schema = schema;
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BYTES);
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      this.sender = SocketChannel.open();
      sender.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BYTES);
      sender.connect(server.getLocalAddress());
      this.receiver = server.accept();
    }
    this.thread = Threads.daemon("shaped-receiver", this::receiveAll);
    thread.start();
  }

  /** Sends a block; returns when its last bytes are in the socket's buffer. */
  void send(EncodedBlock block) throws IOException {
    sendHeader.clear().putLong(block.lengthInBytes()).flip();
    write(sendHeader);
    write(Memory.byteBuffer(block.address(), (int) block.lengthInBytes()));
    sentBytes += block.lengthInBytes();
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      sender.write(bytes);
    }
  }

  /** Waits until all bytes that have been sent have passed the link. */
  synchronized void awaitReceived() throws IOException, InterruptedException {
    while (receivedBytes < sentBytes && !isOver) {
      wait();
    }
    checkFailure();
  }

  /** Ends the stream and waits until the receiver has taken all of it. */
  synchronized void finish() throws IOException, InterruptedException {
    sender.shutdownOutput();
    while (!isOver) {
      wait();
    }
    checkFailure();
  }

  @GuardedBy("this")
  private void checkFailure() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  /** Returns the rows received; called after {@link #finish}. */
  long rows() {
    return rows;
  }

  /** Returns the sum of the first column; called after {@link #finish}. */
  long sum() {
    return sum;
  }

  private void receiveAll() {
    IOException problem = null;
    try {
      ByteBuffer header = ByteBuffer.allocateDirect(Long.BYTES);
      while (receive(header.clear())) {
        long length = header.flip().getLong();
        check(block(length));
      }
    } catch (IOException e) {
      problem = e;
    } catch (RuntimeException | Error e) {
      problem = new IOException("a block cannot be read", e);
    }
    if (problem != null) {
      closeAfter(problem); // else the sender waits for ever
    }
    synchronized (this) {
      failure = problem;
      isOver = true;
      notifyAll();
    }
  }

  private void closeAfter(IOException problem) {
    try {
      receiver.close();
    } catch (IOException e) {
      problem.addSuppressed(e);
    }
  }

  /** Fills a buffer; returns false when the stream has ended before its first byte. */
  private boolean receive(ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      long start = System.nanoTime();
      int limit = target.limit();
      target.limit(Math.min(limit, target.position() + CHUNK_BYTES));
      int count = receiver.read(target);
      target.limit(limit);
      if (count < 0 && target.position() == 0) {
        return false;
      }
      if (count < 0) {
        throw new EOFException("the stream ends within a block");
      }
      pass(count, start);
    }
    return true;
  }

  /** Waits until bytes have passed the link, which was in use until now if they were there. */
  private void pass(int count, long startNanos) {
    long now = System.nanoTime();
    boolean hasWaited = now - startNanos > WAITED_NANOS;
    long passed = hasWaited ? link.take(count, now) : link.takeNext(count);
    for (long left = passed - now; left > 0; left = passed - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  private MemoryBuffer block(long length) throws IOException {
    MemoryBuffer bytes = pool.allocate(length);
    try {
      if (!receive(Memory.byteBuffer(bytes.address(), (int) length))) {
        throw new EOFException("the stream ends before a block");
      }
    } catch (IOException | RuntimeException | Error e) {
      bytes.close();
      throw e;
    }
    synchronized (this) {
      receivedBytes += length;
      notifyAll();
    }
    return bytes;
  }

  private void check(MemoryBuffer bytes) {
    try (BlockConcatenator blocks = new BlockConcatenator(schema, pool)) {
      blocks.add(EncodedBlock.check(bytes));
      try (RecordBatch batch = blocks.concat(0)) {
        ColumnReader first = new ColumnReader(batch.column(0));
        rows += batch.rowCount();
        for (int row = 0; row < batch.rowCount(); row++) {
          sum += first.getLong(row);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    sender.close();
    receiver.close();
    Threads.join(thread);
    pool.close();
  }
}
