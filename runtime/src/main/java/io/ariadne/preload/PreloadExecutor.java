package io.ariadne.preload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.event.RoundFailures;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PendingRead;
import io.ariadne.io.ReadAhead;
import io.ariadne.io.ReadAheadScan;
import io.ariadne.io.WantedRange;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reclaimer;
import io.ariadne.preload.RangeRequest.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads ranges of files ahead of the compute threads.
 *
 * <p>One thread begins the requests: first those that a thread needs, then those of the nearest
 * ranges of each scan, as long as the {@link RequestLimit}, the {@link ReadAheadDepth} and free
 * memory allow. Readers that can only block run on threads of this executor; so do the steps by
 * which scans find out what to read. The same thread regulates the depth five times per second, and
 * sends a request again that has not been answered for far longer than such requests take.
 *
 * <p>Memory comes from the process's pool, without waiting and without spilling. Bytes that nothing
 * needs are read only while a quarter of the pool is free, and are given back when an allocation
 * fails. If there is no memory for bytes that are needed, the thread that needs them reads them
 * itself, in pieces.
 *
 * <p>A request that is cancelled keeps its memory until the reader has ended it. Thread-safe.
 */
public final class PreloadExecutor implements ReadAhead, Reclaimer, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PreloadExecutor.class);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long IDLE_THREAD_SECONDS = 10;
  private static final int FIRST_REQUESTS = 16;
  private static final int MAX_STEPS_AHEAD = 16;

  /** How many times the expected time a request may take before it is sent again. */
  private static final int STRANDED_FACTOR = 10;

  private final String name;
  private final PreloadConfig config;
  private final MemoryPool pool;
  private final PreloadMemory memory;
  private final ThreadPoolExecutor threads;
  private final Thread thread;
  private final RoundFailures failures;
  private final RequestSizes sizes = new RequestSizes();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private final RequestQueue queue = new RequestQueue();

  @GuardedBy("lock")
  private final List<ReadAttempt> attempts = new ArrayList<>();

  @GuardedBy("lock")
  private final RequestLimit limit;

  @GuardedBy("lock")
  private final ReadAheadDepth depth;

  /** Attempts in progress that count against the limit. */
  @GuardedBy("lock")
  private int reading;

  /** Whether a request waits because of the limit. */
  @GuardedBy("lock")
  private boolean isExhausted;

  /** Whether the pool had no memory since the last tick: nothing is read that is not needed. */
  @GuardedBy("lock")
  private boolean isShort;

  @GuardedBy("lock")
  private boolean isAwake;

  @GuardedBy("lock")
  private boolean closed;

  /**
   * Starts the thread.
   *
   * @param name prefix of the threads' names
   * @param config limits
   * @param pool memory for the bytes; outlives this executor
   */
  public PreloadExecutor(String name, PreloadConfig config, MemoryPool pool) {
    this.name = name;
    this.config = config;
    this.pool = pool;
    this.memory = new PreloadMemory(pool);
    this.limit = new RequestLimit(FIRST_REQUESTS, config.maxRequests());
    this.depth = new ReadAheadDepth(config.maxBytes());
    this.failures = new RoundFailures(LOG, "reading ahead in " + name + " fails");
    this.threads =
        new ThreadPoolExecutor(
            config.maxRequests(),
            config.maxRequests(),
            IDLE_THREAD_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Threads.daemons(name + "-read"));
    threads.allowCoreThreadTimeOut(true);
    pool.addReclaimer(this);
    this.thread = Threads.daemon(name + "-read-ahead", this::work);
    thread.start();
  }

  @Override
  public ReadAheadScan open(String scanName, Function<String, LongAdder> counters) {
    PreloadScan scan = new PreloadScan(this, scanName, ThreadRecord.current().owner(), counters);
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException(name + " is closed");
      }
      queue.add(scan);
    } finally {
      lock.unlock();
    }
    return scan;
  }

  ReentrantLock lock() {
    return lock;
  }

  /** Returns the threads of readers and steps that block, also of reads by other callers. */
  public Executor threads() {
    return threads;
  }

  /** Returns the requests that have not begun, for use under the lock. */
  @SuppressWarnings("GuardedBy")
  RequestQueue queue() {
    return queue;
  }

  /** Returns the regulator of what is held, for use under the lock. */
  @SuppressWarnings("GuardedBy")
  ReadAheadDepth depth() {
    return depth;
  }

  /**
   * Returns whether a step may run whose result nothing needs yet.
   *
   * @param ahead how many such steps its scan has
   * @param bytes how many bytes it reads in all likelihood
   */
  boolean mayPrepare(int ahead, long bytes) {
    lock.lock();
    try {
      boolean hasRoom = ahead < MAX_STEPS_AHEAD && !isShort && depth.mayHold(bytes);
      return hasRoom && memory.isFree(bytes);
    } finally {
      lock.unlock();
    }
  }

  /** Counts bytes that steps read and hold more, or fewer if negative. */
  void countSteps(long bytes) {
    lock.lock();
    try {
      depth.countSteps(bytes);
    } finally {
      lock.unlock();
    }
    if (bytes < 0) {
      wake();
    }
  }

  /** Makes the thread look for requests to begin. Called without the lock. */
  void wake() {
    lock.lock();
    try {
      isAwake = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  RequestSizes sizes() {
    return sizes;
  }

  /** Returns the length of requests for ranges of a file that are about to be queued. */
  long maxRequestBytes(ByteRangeReader file, List<WantedRange> wanted) {
    long queued = wanted.stream().mapToLong(WantedRange::length).sum();
    lock.lock();
    try {
      return sizes.maxRequestBytes(file, queued + queue.bytes(), limit.current(), depth.current());
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    long nextTick = System.nanoTime() + TICK_NANOS;
    while (!isOver()) {
      try {
        awaitWork(nextTick);
        if (System.nanoTime() - nextTick >= 0) {
          tick();
          nextTick = System.nanoTime() + TICK_NANOS;
        }
        beginAll();
      } catch (RuntimeException | Error e) {
        failures.failed(e);
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
  }

  private boolean isOver() {
    lock.lock();
    try {
      return closed && attempts.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a change, at most until the next tick if there is anything to regulate. */
  private void awaitWork(long nextTick) {
    lock.lock();
    try {
      while (!isAwake) {
        if (queue.scans().isEmpty() && attempts.isEmpty() && !closed) {
          changed.awaitUninterruptibly();
        } else if (changed.awaitNanos(nextTick - System.nanoTime()) <= 0) {
          return;
        }
      }
      isAwake = false;
    } catch (InterruptedException e) {
      throw new IllegalStateException("nothing interrupts the thread of " + name, e);
    } finally {
      lock.unlock();
    }
  }

  private void tick() {
    List<RangeRequest> stranded = new ArrayList<>();
    lock.lock();
    try {
      depth.tick();
      isShort = false;
      for (ReadAttempt attempt : attempts) {
        if (!attempt.isCancelled && !attempt.request.isSentAgain && isStranded(attempt)) {
          attempt.request.isSentAgain = true;
          stranded.add(attempt.request);
        }
      }
    } finally {
      lock.unlock();
    }
    stranded.forEach(this::sendAgain);
  }

  private boolean isStranded(ReadAttempt attempt) {
    RangeRequest request = attempt.request;
    double expected = sizes.model(request.owner.file()).expectedNanos(request.range.length());
    long least = TimeUnit.MILLISECONDS.toNanos(config.strandedMillis());
    return attempt.takesLonger((long) Math.max(least, STRANDED_FACTOR * expected));
  }

  /** Begins a second attempt at a request, beside the one that has not been answered. */
  private void sendAgain(RangeRequest request) {
    lock.lock();
    try {
      if (request.state != State.READING) {
        return;
      }
      count(request);
    } finally {
      lock.unlock();
    }
    LOG.warn("a request has not been answered for long and is sent again: {}", request);
    begin(request);
  }

  /** Counts an attempt that is about to begin. */
  @GuardedBy("lock")
  private void count(RangeRequest request) {
    request.owner.attemptBegun();
    reading++;
    depth.begun(request.range.length());
  }

  private void beginAll() {
    for (RangeRequest next = next(); next != null; next = next()) {
      begin(next);
    }
  }

  /** Returns the request to begin next and counts it as in progress; null for none. */
  private RangeRequest next() {
    lock.lock();
    try {
      RangeRequest best = queue.first();
      isExhausted = best != null && reading >= limit.current();
      if (best == null || !mayBegin(best)) {
        return null;
      }
      queue.left(best, State.READING);
      count(best);
      return best;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private boolean mayBegin(RangeRequest request) {
    if (closed) {
      return false;
    }
    if (reading >= limit.current()) {
      return request.isNeeded && reading < config.maxRequests();
    }
    return request.isNeeded || (!isShort && depth.mayBegin(request.range.length()));
  }

  private void begin(RangeRequest request) {
    int alignment;
    MemoryBuffer target;
    try {
      alignment = request.owner.file().alignmentInBytes();
      target = memory.allocate(request.range.length() + alignment - 1, request.isNeeded);
    } catch (RuntimeException | Error e) {
      notBegun(request, e);
      throw e;
    }
    if (target == null) {
      notBegun(request, null);
      return;
    }
    long offset = Math.floorMod(request.range.position() - target.address(), (long) alignment);
    ReadAttempt attempt = new ReadAttempt(request, target, offset);
    if (!register(attempt)) {
      ended(attempt, null);
      return;
    }
    PendingRead pending;
    try {
      ByteRange range =
          new ByteRange(request.range.position(), target, offset, request.range.length());
      pending = request.owner.file().start(List.of(range), threads);
    } catch (RuntimeException | Error e) {
      ended(attempt, e);
      throw e;
    }
    if (isCancelled(attempt, pending)) {
      pending.cancel();
    }
    var unused = pending.completion().whenComplete((nothing, failure) -> ended(attempt, failure));
  }

  /**
   * Takes back an attempt without memory. If the bytes are needed, their user reads them itself,
   * unless another attempt is in progress.
   *
   * @param failure why the attempt cannot begin; null for lack of memory
   */
  private void notBegun(RangeRequest request, Throwable failure) {
    Discarded discarded = new Discarded();
    Runnable last;
    lock.lock();
    try {
      reading--;
      depth.failed(request.range.length());
      isShort |= failure == null;
      last = request.owner.attemptEnded();
      if (request.state == State.READING && request.attempts.isEmpty()) {
        if (failure != null) {
          request.failure = failure;
          request.state = State.FAILED;
        } else if (request.isNeeded) {
          request.state = State.LEFT_TO_USER;
        } else {
          request.owner.requeue(request);
        }
      }
      discarded.add(request.isSettled() ? request.takeSettled() : null);
    } finally {
      lock.unlock();
    }
    finish(discarded, last);
  }

  /** Finishes a change without the lock: frees, completes, and closes the file, in this order. */
  void finish(Discarded discarded, Runnable last) {
    try {
      discarded.finish();
    } finally {
      try {
        if (last != null) {
          last.run();
        }
      } finally {
        wake();
      }
    }
  }

  /** Adds an attempt to its request; returns false when the request is over meanwhile. */
  private boolean register(ReadAttempt attempt) {
    lock.lock();
    try {
      attempts.add(attempt);
      boolean isWanted = attempt.request.state == State.READING;
      attempt.isCancelled = !isWanted;
      if (isWanted) {
        attempt.request.attempts.add(attempt);
      }
      return isWanted;
    } finally {
      lock.unlock();
    }
  }

  private boolean isCancelled(ReadAttempt attempt, PendingRead pending) {
    lock.lock();
    try {
      attempt.pending = pending;
      return attempt.isCancelled;
    } finally {
      lock.unlock();
    }
  }

  /** Notes that the reader no longer writes to the memory of an attempt. */
  private void ended(ReadAttempt attempt, Throwable failure) {
    RangeRequest request = attempt.request;
    long length = request.range.length();
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause == null && attempt.pending != null) {
      ByteRangeReader file = request.owner.file();
      sizes.model(file).add(length, attempt.succeeded(), file.firstByteNanos());
    }
    Discarded discarded = new Discarded();
    Runnable last;
    lock.lock();
    try {
      attempts.remove(attempt);
      request.attempts.remove(attempt);
      if (cause == null && attempt.pending != null) {
        limit.ended(length, System.nanoTime(), isExhausted && reading <= limit.current());
      }
      reading--;
      last = request.owner.attemptEnded();
      boolean isOpen = request.state == State.READING && !attempt.isCancelled;
      if (isOpen && cause == null) {
        request.state = State.ARRIVED;
        request.bytes = attempt.target;
        request.offset = attempt.offset;
        depth.arrived(length);
        request.attempts.forEach(discarded::add);
        request.attempts.clear();
      } else {
        depth.failed(length);
        discarded.add(attempt.target);
      }
      if (isOpen && cause != null && request.attempts.isEmpty()) {
        request.state = State.FAILED;
        request.failure = cause;
      }
      discarded.add(request.isSettled() ? request.takeSettled() : null);
    } finally {
      lock.unlock();
    }
    finish(discarded, last);
  }

  /** Frees bytes that nothing needs yet; they are read again later. */
  @Override
  public long reclaim() {
    Discarded discarded = new Discarded();
    lock.lock();
    try {
      isShort = true;
      for (PreloadScan scan : queue.scans()) {
        for (PreloadedRanges ranges : scan.ranges()) {
          ranges.giveBack(discarded);
        }
      }
    } finally {
      lock.unlock();
    }
    return discarded.finish();
  }

  /** Describes the state in one line, for diagnosis. */
  public String describe() {
    lock.lock();
    try {
      return String.format(
          "%s: %d of %d requests in progress, %d bytes held, %d ahead at most, %d scans",
          name, reading, limit.current(), depth.heldBytes(), depth.current(), queue.scans().size());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Refuses new reads and cancels those in progress, without waiting for their end. All scans are
   * closed before. Idempotent.
   */
  public void shutdown() {
    Discarded discarded = new Discarded();
    lock.lock();
    try {
      closed = true;
      attempts.forEach(discarded::add);
    } finally {
      lock.unlock();
    }
    discarded.finish();
    pool.removeReclaimer(this);
    threads.shutdown();
    wake();
  }

  /** Returns whether no read and no thread is left after {@link #shutdown}. */
  public boolean isTerminated() {
    return !thread.isAlive() && threads.isTerminated();
  }

  /**
   * Calls {@link #shutdown} and waits until all reads have ended, at most for the time after which
   * a request counts as stranded.
   */
  @Override
  public void close() {
    shutdown();
    try {
      thread.join(config.strandedMillis());
      if (!threads.awaitTermination(config.strandedMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("reads are still in progress: {}", describe());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
