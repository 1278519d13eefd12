package io.ariadne.shuffle.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.EventKind;
import io.ariadne.event.RoundFailures;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import io.ariadne.shuffle.codec.Codec;
import io.ariadne.shuffle.codec.CompressedBytes;
import io.ariadne.shuffle.codec.CompressionPolicy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of peers with threads of its own. Thread-safe.
 *
 * <p>Requests of a connection are answered in their order, and the connections round robin. A
 * connection with {@link #MAX_UNSENT_BYTES} that are not sent yet is left out until its peer has
 * taken them, so that a slow peer takes no threads and little memory from the others; one whose
 * peer takes nothing for long is closed. The threads do not wait for memory, because the tasks that
 * would free it may wait for peers: the reply is then shorter, or says that the peer should ask
 * again later.
 */
public final class BlockServer implements Transport.Handler, AutoCloseable {
  /** Bytes of replies of one connection that are not sent yet, when no further one is made. */
  static final long MAX_UNSENT_BYTES = 8L << 20;

  /** Bytes before compression of the blocks of a reply, when no further block is added. */
  static final long MAX_REPLY_BYTES = 16L << 20;

  /** Requests of one connection that wait; a peer that sends more is told to ask later. */
  static final int MAX_WAITING = 4096;

  /** How often connections are looked for whose peers take nothing. */
  private static final long POLL_MILLIS = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(BlockServer.class);

  private final BlockSource source;
  private final BufferAllocator allocator;
  private final CompressionPolicy policy;
  private final TransportCounters counters;
  private final Duration stall;
  private final RoundFailures failures = new RoundFailures(LOG, "sending blocks to executors");
  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("this")
  private final Map<Object, Connection> connections = new HashMap<>();

  /** Connections with waiting requests that may be answered, the next one first. */
  @GuardedBy("this")
  private final Deque<Connection> ready = new ArrayDeque<>();

  @GuardedBy("this")
  private boolean isClosed;

  @GuardedBy("this")
  private long stalledLookNanos = System.nanoTime();

  private volatile boolean isCompressing = true;

  /** A request that is not answered. */
  private record Waiting(
      Connection connection, BlockRequest request, Transport.Responder responder) {
    long maxBytes() {
      return Math.min(request.maxBytes(), BlockReply.MAX_BYTES);
    }
  }

  /** The requests of one connection; guarded by the monitor of the server. */
  private static final class Connection {
    final Deque<Waiting> waiting = new ArrayDeque<>();
    long unsentBytes;

    /** Since when the peer has taken nothing of these. */
    long unsentSinceNanos;

    /** Of the latest reply. */
    Transport.Responder responder;

    int unsentRefusals;
    boolean isReady;

    void began(Waiting next) {
      if (unsentBytes == 0) {
        unsentSinceNanos = System.nanoTime();
      }
      unsentBytes += next.maxBytes();
      responder = next.responder();
    }

    void sent(long bytes) {
      unsentBytes -= bytes;
      unsentSinceNanos = System.nanoTime();
    }

    boolean isStalled(Duration limit) {
      return unsentBytes > 0 && System.nanoTime() - unsentSinceNanos > limit.toNanos();
    }
  }

  /**
   * Starts the threads.
   *
   * @param name prefix of their names
   * @param source the blocks of this process
   * @param allocator host memory for compressed blocks
   * @param policy decides which blocks are compressed
   * @param counters counts what is sent
   * @param stall for how long a peer may take nothing of what is sent to it
   * @param threads number of threads, at least 1
   */
  public BlockServer(
      String name,
      BlockSource source,
      BufferAllocator allocator,
      CompressionPolicy policy,
      TransportCounters counters,
      Duration stall,
      int threads) {
    this.stall = stall;
    this.source = source;
    this.allocator = allocator;
    this.policy = policy;
    this.counters = counters;
    for (int i = 0; i < threads; i++) {
      this.threads.add(Threads.daemon(name + "-serve-" + i, this::work));
    }
    this.threads.forEach(Thread::start);
  }

  @Override
  public void handle(ByteBuffer bytes, Transport.Responder responder) {
    BlockRequest request;
    try {
      request = BlockRequest.decode(bytes);
    } catch (EngineException e) {
      LOG.warn("{}, from {}", e.getMessage(), responder.remoteAddress());
      refuse(responder, BlockReply.without(BlockReply.Status.FAILED, 0, 0, e.getMessage()));
      return;
    }
    BlockReply refusal = add(request, responder);
    if (refusal != null) {
      refuse(responder, refusal);
    }
  }

  /** Says why a request is not answered; says nothing to a peer that does not read it. */
  private void refuse(Transport.Responder responder, BlockReply refusal) {
    Connection connection = refused(responder.connection());
    if (connection != null) {
      responder.reply(List.of(refusal.encoded()), () -> refusalSent(connection));
    }
  }

  /** Counts a refusal; returns null when too many of its connection are not sent. */
  private synchronized Connection refused(Object key) {
    Connection connection =
        isClosed ? new Connection() : connections.computeIfAbsent(key, unknown -> new Connection());
    if (connection.unsentRefusals == MAX_WAITING) {
      return null;
    }
    connection.unsentRefusals++;
    return connection;
  }

  private synchronized void refusalSent(Connection connection) {
    connection.unsentRefusals--;
  }

  /** Adds a request; returns why not, or null. */
  private synchronized BlockReply add(BlockRequest request, Transport.Responder responder) {
    if (isClosed) {
      return BlockReply.without(BlockReply.Status.FAILED, 0, 0, "the executor shuts down");
    }
    Connection connection =
        connections.computeIfAbsent(responder.connection(), key -> new Connection());
    if (connection.waiting.size() >= MAX_WAITING) {
      counters.busyReplies().increment();
      return BlockReply.without(BlockReply.Status.BUSY, 0, 0, "too many requests");
    }
    connection.waiting.add(new Waiting(connection, request, responder));
    makeReady(connection);
    return null;
  }

  @GuardedBy("this")
  private void makeReady(Connection connection) {
    if (!connection.isReady
        && !connection.waiting.isEmpty()
        && connection.unsentBytes < MAX_UNSENT_BYTES) {
      connection.isReady = true;
      ready.add(connection);
      notifyAll();
    }
  }

  @Override
  public synchronized void disconnected(Object key) {
    Connection connection = connections.remove(key);
    if (connection != null) {
      connection.waiting.clear();
      ready.remove(connection);
    }
  }

  private void work() {
    // Tasks whose memory this could wait for may wait for the replies of these threads.
    ThreadRecord.current().mayWait(false);
    while (isOpen()) {
      try {
        Waiting waiting = next();
        if (waiting != null) {
          answerOrDisconnect(waiting);
        }
        closeStalled();
      } catch (InterruptedException e) {
        // The server is closed.
        Thread.currentThread().interrupt();
        return;
      } catch (RuntimeException | Error e) {
        note(e);
      }
    }
  }

  /** Logs a failure, after which the thread continues. */
  private void note(Throwable failure) {
    try {
      failures.failed(failure);
    } catch (OutOfMemoryError e) {
      // There is no heap for the log either.
    }
  }

  /** Returns the next request to answer; null when none has come for a while. */
  @SuppressWarnings("WaitNotInLoop") // the caller loops
  private synchronized Waiting next() throws InterruptedException {
    if (ready.isEmpty() && !isClosed) {
      wait(POLL_MILLIS);
    }
    Connection connection = ready.poll();
    if (connection == null) {
      return null;
    }
    connection.isReady = false;
    Waiting waiting = connection.waiting.poll();
    if (waiting != null) {
      // Counted at once, for the threads that look before the reply is made.
      connection.began(waiting);
      makeReady(connection);
    }
    return waiting;
  }

  private synchronized boolean isOpen() {
    return !isClosed;
  }

  /** Closes connections whose peers have taken nothing for long, which frees their blocks. */
  private void closeStalled() {
    List<Connection> stalled;
    synchronized (this) {
      long now = System.nanoTime();
      if (now - stalledLookNanos < TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS)) {
        return;
      }
      stalledLookNanos = now;
      stalled = connections.values().stream().filter(each -> each.isStalled(stall)).toList();
    }
    for (Connection connection : stalled) {
      LOG.warn(
          "the connection of {} is closed, because it has taken nothing of its replies for {} s",
          connection.responder.remoteAddress(),
          stall.toSeconds());
      connection.responder.disconnect();
    }
  }

  private synchronized void sent(Waiting waiting) {
    waiting.connection().sent(waiting.maxBytes());
    makeReady(waiting.connection());
  }

  /** Answers a request. A failure ends its connection, not the thread. */
  private void answerOrDisconnect(Waiting waiting) {
    Outgoing outgoing = null;
    List<ByteBuffer> parts;
    try {
      outgoing = new Outgoing(waiting);
      parts = answer(waiting, outgoing.blocks);
    } catch (RuntimeException | Error e) {
      note(e);
      if (outgoing == null) {
        sent(waiting);
      } else {
        outgoing.run();
      }
      waiting.responder().disconnect();
      return;
    }
    try {
      waiting.responder().reply(parts, outgoing);
    } catch (RuntimeException | Error e) {
      // The transport may have begun to send the blocks: only it knows when they can be freed.
      note(e);
      waiting.responder().disconnect();
    }
  }

  /** The blocks of a reply; {@link #run} frees them when they are sent. */
  private final class Outgoing implements Runnable {
    final List<MemoryBuffer> blocks = new ArrayList<>();
    private final Waiting waiting;

    Outgoing(Waiting waiting) {
      this.waiting = waiting;
    }

    @Override
    public void run() {
      closeAll(blocks);
      sent(waiting);
    }
  }

  /**
   * Makes a reply.
   *
   * @param blocks takes its blocks, which the caller closes when they are sent
   */
  private List<ByteBuffer> answer(Waiting waiting, List<MemoryBuffer> blocks) {
    long start = System.nanoTime();
    BlockReply reply;
    try {
      reply = new Replier(waiting, blocks).reply();
    } catch (RuntimeException | Error e) {
      failures.failed(e);
      closeAll(blocks);
      blocks.clear();
      reply = BlockReply.without(BlockReply.Status.FAILED, 0, 0, FetchFailure.text(e));
    }
    count(reply, start);
    List<ByteBuffer> parts = new ArrayList<>();
    parts.add(reply.encoded());
    for (MemoryBuffer block : blocks) {
      parts.add(Memory.byteBuffer(block.address(), (int) block.lengthInBytes()));
    }
    return parts;
  }

  /** Compresses nothing any more, such as where a library of the user has another version. */
  private void compressionFailed(Codec codec, Throwable failure) {
    isCompressing = false;
    LOG.warn("blocks are not compressed any more, because {} has failed", codec, failure);
  }

  private void count(BlockReply reply, long startNanos) {
    long bytes = reply.blockBytes();
    ThreadRecord.current().ended(EventKind.SERVE, startNanos, bytes, MemoryTier.HOST, null);
    counters.sentBytes().add(bytes);
    for (BlockReply.Entry block : reply.blocks()) {
      counters.sentPlainBytes().add(block.plainBytes());
    }
    if (reply.status() == BlockReply.Status.BUSY) {
      counters.busyReplies().increment();
    }
  }

  /** Closes blocks; a failure is logged, and the thread continues. */
  private void closeAll(List<MemoryBuffer> blocks) {
    Closer closer = new Closer();
    blocks.forEach(closer::close);
    try {
      closer.rethrow();
    } catch (RuntimeException | Error e) {
      failures.failed(e);
    }
  }

  /** Makes one reply. */
  private final class Replier {
    private final BlockRequest request;
    private final List<MemoryBuffer> blocks;
    private final List<BlockReply.Entry> entries = new ArrayList<>();
    private final long maxBytes;
    private long bytes;
    private long plainBytes;
    private long rows;
    private long readBackBytes;
    private int range;

    /** Takes the blocks of the reply to a list of the caller, who closes them. */
    Replier(Waiting waiting, List<MemoryBuffer> blocks) {
      this.request = waiting.request();
      this.blocks = blocks;
      this.maxBytes = waiting.maxBytes();
    }

    BlockReply reply() {
      BlockReply failure = null;
      while (failure == null && range < request.ranges().size() && !isFull()) {
        rows = 0;
        BlockRange wanted = request.ranges().get(range);
        try (BlockSource.Blocks of = source.open(wanted, maxBytes)) {
          failure = of == null ? gone(wanted) : addAndCount(of);
        } catch (RuntimeException e) {
          failure = failure(e);
        }
      }
      if (failure == null) {
        failures.succeeded();
      }
      // What was done before a failure is sent; the peer's next request finds the failure again.
      return failure == null || !entries.isEmpty()
          ? new BlockReply(BlockReply.Status.BLOCKS, range, rows, readBackBytes, "", entries)
          : failure;
    }

    /** Says that the rows of a range are not here, and those of how many behind it neither. */
    private BlockReply gone(BlockRange wanted) {
      int count = 1;
      while (range + count < request.ranges().size() && !has(request.ranges().get(range + count))) {
        count++;
      }
      return BlockReply.without(BlockReply.Status.GONE, range, count, wanted.toString());
    }

    private boolean has(BlockRange wanted) {
      try (BlockSource.Blocks of = source.open(wanted, maxBytes)) {
        return of != null;
      }
    }

    private long bytesLeft() {
      return maxBytes - bytes;
    }

    private boolean isFull() {
      return bytes >= maxBytes
          || plainBytes >= MAX_REPLY_BYTES
          || entries.size() == BlockReply.MAX_BLOCKS;
    }

    /** Adds blocks as {@link #add}; counts what was read back for them, also when that fails. */
    private BlockReply addAndCount(BlockSource.Blocks of) {
      try {
        return add(of);
      } finally {
        readBackBytes += of.readBackBytes();
      }
    }

    /** Adds the blocks of a range that fit; returns why there are none, or null. */
    private BlockReply add(BlockSource.Blocks of) {
      for (long length = of.next(bytesLeft()); length > 0; length = of.next(bytesLeft())) {
        if (isFull() || length > bytesLeft()) {
          // Without blocks so far, the block is longer than a reply may be.
          return BlockReply.without(BlockReply.Status.TOO_LONG, range, length, "");
        }
        int count = of.rows();
        CompressedBytes block = compressOrClose(of.encode());
        blocks.add(block.bytes());
        entries.add(
            new BlockReply.Entry(
                range, count, block.compressedBytes(), block.codec(), block.lengthInBytes()));
        bytes += block.compressedBytes();
        plainBytes += block.lengthInBytes();
        rows += count;
      }
      range++;
      rows = 0;
      return null;
    }

    private CompressedBytes compressOrClose(MemoryBuffer block) {
      try {
        return compress(block);
      } catch (RuntimeException | Error e) {
        block.close();
        throw e;
      }
    }

    /**
     * Compresses a block where that makes it arrive earlier. Owns the block, unless this throws.
     */
    private CompressedBytes compress(MemoryBuffer block) {
      long length = block.lengthInBytes();
      Integer shuffle = request.ranges().get(range).shuffleId();
      Codec codec = policy.choose(shuffle, request.bytesPerSecond(), length);
      if (codec == Codec.NONE || !isCompressing) {
        return CompressedBytes.plain(block);
      }
      MemoryBuffer compressed;
      try {
        long start = System.nanoTime();
        compressed = codec.compress(block, allocator);
        long after = compressed == null ? length : compressed.lengthInBytes();
        policy.compressed(shuffle, codec, length, after, System.nanoTime() - start);
      } catch (RuntimeException | LinkageError e) {
        // A block that cannot be compressed is sent as it is.
        if (!EngineException.isOutOfMemory(e)) {
          compressionFailed(codec, e);
        }
        return CompressedBytes.plain(block);
      }
      if (compressed == null) {
        return CompressedBytes.plain(block);
      }
      block.close();
      return new CompressedBytes(compressed, codec, length);
    }

    private BlockReply failure(RuntimeException e) {
      String message = FetchFailure.text(e);
      if (EngineException.isOutOfMemory(e)) {
        return BlockReply.without(BlockReply.Status.BUSY, range, readBackBytes, message);
      }
      if (e instanceof EngineException engine && engine.code() == ErrorCode.CORRUPT_DATA) {
        return BlockReply.without(BlockReply.Status.GONE, range, 1, message);
      }
      failures.failed(e);
      return without(BlockReply.Status.FAILED, message);
    }

    private BlockReply without(BlockReply.Status status, String message) {
      return BlockReply.without(status, range, 0, message);
    }
  }

  /** Ends the threads, and answers no waiting request. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
      ready.clear();
      connections.clear();
      notifyAll();
    }
    threads.forEach(Threads::join);
  }
}
