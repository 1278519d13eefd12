package io.ariadne.shuffle.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.event.EventKind;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;
import io.ariadne.shuffle.codec.CompressedBytes;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The blocks that one reduce task reads from its peers. They are asked for ahead of their use, from
 * all peers round robin, as far as {@link FetchLimits} and free memory allow. Blocks of a range
 * come in order; ranges come in any order.
 *
 * <p>The memory of a reply is reserved before the request is made, without waiting and without
 * moving other batches. Only a task with nothing to read and no open request waits for memory.
 *
 * <p>Used by the task thread, and by the threads of the transport that bring replies.
 */
public final class RemoteBlocks implements AutoCloseable {
  /** How often a waiting task looks for replies that take too long and for its own end. */
  private static final long POLL_MILLIS = 200;

  private final BlockFetcher fetcher;
  private final Transport transport;
  private final MemoryPool pool;
  private final FetchLimits limits;
  private final TransportCounters counters;

  /** In the order in which they are asked next. */
  @GuardedBy("this")
  private final Deque<AskedPeer> sources = new ArrayDeque<>();

  @GuardedBy("this")
  private final Deque<ReceivedBlock> received = new ArrayDeque<>();

  @GuardedBy("this")
  private final Set<Attempt> open = new HashSet<>();

  /** Bytes of open attempts and of received blocks. */
  @GuardedBy("this")
  private long bytesInFlight;

  @GuardedBy("this")
  private final FetchStatistics.Builder statistics = new FetchStatistics.Builder();

  /** Wanted ranges whose rows have not all been received. */
  @GuardedBy("this")
  private int missingRanges;

  @GuardedBy("this")
  private FetchFailure failure;

  /** What has kept a thread of the transport from recording a reply; null for nothing. */
  @GuardedBy("this")
  private Throwable defect;

  @GuardedBy("this")
  private String brokenOff;

  @GuardedBy("this")
  private boolean isClosed;

  /**
   * Begins to fetch.
   *
   * @param fetcher of the process
   * @param wanted the ranges
   */
  RemoteBlocks(BlockFetcher fetcher, List<WantedRange> wanted) {
    this.fetcher = fetcher;
    this.transport = fetcher.transport();
    this.pool = fetcher.pool();
    this.limits = fetcher.limits();
    this.counters = fetcher.counters();
    Map<Peer, AskedPeer> byPeer = new LinkedHashMap<>();
    for (int i = 0; i < wanted.size(); i++) {
      WantedRange range = wanted.get(i);
      byPeer.computeIfAbsent(range.peer(), AskedPeer::new).pending.add(WantedPart.of(i, range));
    }
    sources.addAll(byPeer.values());
    missingRanges = wanted.size();
  }

  /** Returns what the requests have cost until now. */
  public synchronized FetchStatistics statistics() {
    return statistics.build();
  }

  /** Makes the requests that the limits allow. Never blocks. */
  void pump() {
    for (Attempt attempt = nextAttempt(null); attempt != null; attempt = nextAttempt(null)) {
      attempt.send();
    }
  }

  /**
   * Prepares the next request.
   *
   * @param secured memory for the request, which this takes unless it returns null; null to reserve
   *     free memory
   */
  private synchronized Attempt nextAttempt(Reservation secured) {
    for (int i = 0; i < sources.size(); i++) {
      AskedPeer source = sources.poll();
      sources.add(source);
      if (!isClosed && failure == null && mayAsk(source)) {
        long bytes = source.bytesOfNext(limits);
        if (hasItsShare(source, bytes)) {
          continue;
        }
        boolean fits = bytesInFlight == 0 || bytesInFlight + bytes <= limits.maxBytesInFlight();
        Reservation memory = secured;
        if (memory == null && fits) {
          memory = pool.tryReserve("blocks of peers", reservedFor(bytes));
        }
        if (memory == null || memory.reservedBytes() < reservedFor(bytes)) {
          // The same peer is the next one: a large request must not starve.
          sources.addFirst(sources.pollLast());
          return null;
        }
        return begin(source, bytes, memory);
      }
    }
    return null;
  }

  @GuardedBy("this")
  private boolean mayAsk(AskedPeer source) {
    return !source.pending.isEmpty()
        && !source.isPaused()
        && source.openCount < limits.requestsPerPeer();
  }

  /** Returns whether a peer has half of the bytes already, so that it cannot hold up others. */
  @GuardedBy("this")
  private boolean hasItsShare(AskedPeer source, long bytes) {
    return source.openBytes > 0
        && source.openBytes + bytes > limits.maxBytesInFlight() / 2
        && sources.stream().anyMatch(other -> other != source && !other.pending.isEmpty());
  }

  /** Returns the bytes of a reply with its head, each part, perhaps sealed, in its own buffer. */
  private static long reservedFor(long bytes) {
    return BlockReply.maxBytes(bytes) + 2L * MemoryBuffer.ALIGNMENT * (BlockReply.MAX_BLOCKS + 1);
  }

  /** Takes the memory, also when this fails; the parts then stay pending. */
  @GuardedBy("this")
  private Attempt begin(AskedPeer source, long bytes, Reservation memory) {
    Attempt attempt;
    try {
      attempt = new Attempt(source, source.first(bytes), bytes, memory);
      open.add(attempt);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
    source.take(attempt.parts.size());
    source.openCount++;
    source.openBytes += bytes;
    if (open.size() == 1) {
      statistics.opened();
    }
    bytesInFlight += bytes;
    return attempt;
  }

  /** A request that has no reply yet. */
  private final class Attempt implements Transport.Listener {
    private final AskedPeer source;
    private final List<WantedPart> parts;
    private final BlockRequest request;
    private final Reservation memory;
    private final long startNanos = System.nanoTime();

    Attempt(AskedPeer source, List<WantedPart> parts, long bytes, Reservation memory) {
      this.source = source;
      this.parts = parts;
      this.request =
          new BlockRequest(
              parts.stream().map(WantedPart::range).toList(),
              bytes,
              (long) transport.bytesPerSecond(source.peer));
      this.memory = memory;
    }

    void send() {
      counters.requests().increment();
      transport.request(
          source.peer, request.encoded(), BlockReply.maxBytes(request.maxBytes()), this);
    }

    @Override
    public void received(ReplyBytes bytes) {
      Deque<ReceivedBlock> blocks = new ArrayDeque<>();
      if (claim(this)) {
        try {
          received(bytes, blocks);
        } catch (RuntimeException | Error e) {
          broken(e, blocks);
          throw e;
        }
        pump();
      }
    }

    private void received(ReplyBytes bytes, Deque<ReceivedBlock> blocks) {
      BlockReply reply = null;
      Throwable failed = null;
      try (memory) {
        reply = BlockReply.decode(bytes, request);
        for (BlockReply.Entry entry : reply.blocks()) {
          MemoryBuffer block = bytes.takeBuffer(entry.lengthInBytes(), memory);
          CompressedBytes compressed =
              new CompressedBytes(block, entry.codec(), entry.plainBytes());
          blocks.add(new ReceivedBlock(parts.get(entry.range()).index(), entry.rows(), compressed));
        }
        ThreadRecord.current()
            .ended(EventKind.FETCH, startNanos, reply.blockBytes(), null, MemoryTier.HOST);
      } catch (RuntimeException | Error e) {
        closeAll(blocks);
        failed = e;
      }
      if (failed == null) {
        replied(this, reply, blocks);
      } else {
        retryOrFail(this, failed);
      }
    }

    @Override
    public boolean isOver() {
      return !isOpen(this);
    }

    @Override
    public BufferAllocator memory() {
      return memory;
    }

    @Override
    public void failed(Throwable cause) {
      if (claim(this)) {
        try {
          memory.close();
          retryOrFail(this, cause);
        } catch (RuntimeException | Error e) {
          broken(e, new ArrayDeque<>());
          throw e;
        }
        pump();
      }
    }
  }

  /** Takes an attempt from the open ones; returns false when it is over already. */
  private synchronized boolean claim(Attempt attempt) {
    boolean isOpen = open.remove(attempt);
    if (isOpen && open.isEmpty()) {
      statistics.closed();
    }
    return isOpen;
  }

  private synchronized boolean isOpen(Attempt attempt) {
    return open.contains(attempt);
  }

  /** Lets the task fail, whose rows may be missing; closes blocks that were not recorded. */
  private void broken(Throwable cause, Deque<ReceivedBlock> blocks) {
    synchronized (this) {
      defect = cause;
      notifyAll();
    }
    closeAll(blocks);
  }

  private void replied(Attempt attempt, BlockReply reply, Deque<ReceivedBlock> blocks) {
    synchronized (this) {
      ended(attempt);
      if (!isClosed) {
        while (!blocks.isEmpty()) {
          ReceivedBlock block = blocks.peek();
          received.add(block);
          blocks.remove();
          bytesInFlight += block.bytes().compressedBytes();
          counters.receivedBytes().add(block.bytes().compressedBytes());
          counters.receivedPlainBytes().add(block.bytes().lengthInBytes());
        }
        apply(attempt, reply);
        notifyAll();
        return;
      }
    }
    closeAll(blocks);
  }

  @GuardedBy("this")
  private void ended(Attempt attempt) {
    attempt.source.openCount--;
    attempt.source.openBytes -= attempt.request.maxBytes();
    bytesInFlight -= attempt.request.maxBytes();
  }

  @GuardedBy("this")
  private void apply(Attempt attempt, BlockReply reply) {
    AskedPeer source = attempt.source;
    List<WantedPart> rest =
        new ArrayList<>(attempt.parts.subList(reply.doneRanges(), attempt.parts.size()));
    boolean hasAdvanced = reply.doneRanges() > 0 || reply.doneRows() > 0;
    if (!rest.isEmpty()) {
      WantedPart first = rest.get(0).after(reply.doneRows());
      boolean isTooLong = reply.status() == BlockReply.Status.TOO_LONG;
      rest.set(0, isTooLong ? first.needing(reply.number()) : first);
    }
    source.putBack(rest);
    missingRanges -= reply.doneRanges();
    statistics.readBack(reply.readBackBytes());
    if (hasAdvanced) {
      source.failures = 0;
      source.busyReplies = 0;
    }
    switch (reply.status()) {
      case BLOCKS -> {
        if (!hasAdvanced) {
          busy(source, "it sends no blocks");
        }
      }
      case BUSY -> busy(source, reply.message());
      case GONE -> gone(source, reply);
      case TOO_LONG -> {
        if (reply.number() > BlockReply.MAX_BYTES) {
          fail(
              source,
              rest.get(0),
              "a row has " + reply.number() + " bytes, too many for a message",
              null);
        }
      }
      case FAILED -> pauseOrFail(source, rest.get(0), reply.message(), null);
      default -> throw new IllegalStateException(reply.status().toString());
    }
  }

  /** Asks for the next rows of a peer, which it no longer has, where they were copied to. */
  @GuardedBy("this")
  private void gone(AskedPeer source, BlockReply reply) {
    WantedPart first = source.pending.peek();
    if (first.copyAt() == null) {
      fail(source, first, source.peer + " no longer has its rows: " + reply.message(), null);
    }
    for (long i = 0; i < reply.number() && source.pending.peek().copyAt() != null; i++) {
      askForCopy(source.pending.poll());
    }
  }

  @GuardedBy("this")
  private void askForCopy(WantedPart part) {
    Peer peer = part.copyAt();
    AskedPeer other = sources.stream().filter(s -> s.peer.equals(peer)).findFirst().orElse(null);
    if (other == null) {
      other = new AskedPeer(peer);
      sources.add(other);
    }
    other.pending.add(part.ofCopy());
  }

  @GuardedBy("this")
  private void busy(AskedPeer source, String message) {
    statistics.repeated();
    if (source.busyNanos() > limits.timeout().toNanos()) {
      fail(
          source,
          source.pending.peek(),
          source.peer + " has been busy for " + limits.timeout().toSeconds() + " s: " + message,
          null);
      return;
    }
    pause(source, source.busyPauseMillis());
  }

  private synchronized void retryOrFail(Attempt attempt, Throwable cause) {
    ended(attempt);
    attempt.source.putBack(attempt.parts);
    pauseOrFail(attempt.source, attempt.parts.get(0), FetchFailure.text(cause), cause);
    notifyAll();
    if (cause instanceof IOException) {
      fetcher.whenDead(attempt.source.peer, () -> failDead(attempt.source, cause));
    }
  }

  /** Fails at once if rows are missing: a peer that has ended does not come back under its id. */
  private synchronized void failDead(AskedPeer source, Throwable cause) {
    WantedPart missing = source.pending.peek();
    if (missing != null) {
      fail(source, missing, source.peer + " has ended: " + FetchFailure.text(cause), cause);
    }
  }

  /** Requests that fail during a pause are not counted: a lost connection fails all of them. */
  @GuardedBy("this")
  private void pauseOrFail(AskedPeer source, WantedPart part, String message, Throwable cause) {
    counters.failedRequests().increment();
    statistics.repeated();
    if (source.isPaused() && source.failures > 0) {
      return;
    }
    if (source.failures++ < limits.maxRetries()) {
      pause(source, limits.retryPause().toMillis());
    } else {
      fail(source, part, "cannot fetch blocks of " + source.peer + ": " + message, cause);
    }
  }

  @GuardedBy("this")
  private void pause(AskedPeer source, long millis) {
    if (!isClosed) {
      source.pausedUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      fetcher.later(this::pump, millis);
    }
  }

  @GuardedBy("this")
  private void fail(AskedPeer source, WantedPart part, String message, Throwable cause) {
    if (failure == null) {
      failure = new FetchFailure(part.index(), source.peer, part.range() + ": " + message, cause);
      notifyAll();
    }
  }

  /**
   * Returns the next block, owned by the caller; null after the last one. Waits for it.
   *
   * @param checkEnd throws when the task is to end; called now and then while this waits
   * @throws FetchFailure when a peer does not have a range, or does not answer
   * @throws IllegalStateException when this is closed
   * @throws InterruptedException when the thread is interrupted
   */
  public ReceivedBlock next(Runnable checkEnd) throws InterruptedException {
    pump();
    ReceivedBlock block = poll();
    while (block == null && !isAtEnd()) {
      checkEnd.run();
      expire();
      secure(starvedBytes());
      await();
      // Memory may have become free, and pauses may be over, without a reply.
      pump();
      block = poll();
    }
    return block;
  }

  private synchronized ReceivedBlock poll() {
    if (isClosed) {
      throw new IllegalStateException("the blocks of peers are closed");
    }
    if (failure != null) {
      throw failure;
    }
    if (defect != null) {
      throw new IllegalStateException("a reply of a peer was lost in this executor", defect);
    }
    ReceivedBlock block = received.poll();
    if (block != null) {
      bytesInFlight -= block.bytes().compressedBytes();
    }
    return block;
  }

  private synchronized boolean isAtEnd() {
    return received.isEmpty() && missingRanges == 0;
  }

  /**
   * Returns the most bytes of a request that could be made if there were memory, while nothing is
   * under way; 0 when there is none.
   */
  private synchronized long starvedBytes() {
    long bytes = 0;
    if (failure == null && received.isEmpty() && bytesInFlight == 0) {
      for (AskedPeer source : sources) {
        bytes = Math.max(bytes, mayAsk(source) ? source.bytesOfNext(limits) : 0);
      }
    }
    return bytes;
  }

  /** Makes a request with memory for which this thread waits, and moves other batches. */
  private void secure(long bytes) {
    if (bytes > 0) {
      Reservation memory = pool.secure("blocks of peers", reservedFor(bytes));
      Attempt attempt = nextAttempt(memory);
      if (attempt == null) {
        memory.close();
      } else {
        attempt.send();
      }
    }
  }

  /** Waits until something changes, or for a moment. */
  @SuppressWarnings("WaitNotInLoop") // the caller loops
  private void await() throws InterruptedException {
    Wait wait = ThreadRecord.current().await(WaitKind.NETWORK, this, 0, this::breakOff);
    try {
      synchronized (this) {
        boolean isDecided = failure != null || defect != null || brokenOff != null;
        if (received.isEmpty() && !isDecided && !isAtEnd()) {
          wait(POLL_MILLIS);
        }
        if (brokenOff != null) {
          throw new InterruptedException(brokenOff);
        }
      }
    } finally {
      wait.close();
    }
  }

  private synchronized void breakOff(String reason) {
    brokenOff = reason;
    notifyAll();
  }

  /** Gives requests up whose replies take too long. */
  private void expire() {
    List<Attempt> late;
    synchronized (this) {
      long now = System.nanoTime();
      late =
          open.stream().filter(each -> now - each.startNanos > limits.timeout().toNanos()).toList();
    }
    for (Attempt attempt : late) {
      attempt.failed(new TimeoutException("no reply for " + limits.timeout().toSeconds() + " s"));
    }
  }

  private static void closeAll(Deque<ReceivedBlock> blocks) {
    Closer closer = new Closer();
    while (!blocks.isEmpty()) {
      closer.close(blocks.remove());
    }
    closer.rethrow();
  }

  /**
   * Ends all requests and frees all blocks. A reply that comes at this moment frees its memory soon
   * after. Idempotent.
   */
  @Override
  public void close() {
    List<Attempt> attempts;
    List<ReceivedBlock> blocks;
    synchronized (this) {
      isClosed = true;
      attempts = List.copyOf(open);
      attempts.forEach(this::claim);
      blocks = new ArrayList<>(received);
      received.clear();
      sources.clear();
    }
    Closer closer = new Closer();
    attempts.forEach(attempt -> closer.close(attempt.memory));
    blocks.forEach(closer::close);
    closer.rethrow();
  }

  /** Describes what is missing, for people. */
  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder("blocks of peers");
    for (AskedPeer source : sources) {
      if (!source.pending.isEmpty() || source.openCount > 0) {
        text.append("; ").append(source);
      }
    }
    return text.toString();
  }
}
