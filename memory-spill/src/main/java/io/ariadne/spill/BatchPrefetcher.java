package io.ariadne.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.event.RoundFailures;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.WorkOwner;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads batches of one memory space back before they are used, in the order in which their owners
 * have asked for them ({@link SpillableBatch#prefetch}).
 *
 * <p>A batch is read only while a third of the pool is free beside it and no thread lacks memory of
 * the pool. The read waits for no memory of the pool and moves no batches of it. So how many
 * batches are read ahead follows from the memory that is free. A batch stays in its store until it
 * is used: under pressure its memory is given back without a write, that of the last batch first,
 * and the batch is read again later. A batch that cannot be read is left to its user. Thread-safe.
 */
final class BatchPrefetcher {
  private static final Logger LOG = LoggerFactory.getLogger(BatchPrefetcher.class);

  /**
   * The pool has its limit divided by this free after each read. That is more than scans leave free
   * when they read ahead (a quarter), so that spilled batches do not take all of their memory.
   */
  private static final int FREE_SHARES = 3;

  /** Batches that are read at the same time: a second one keeps the disk busy between two reads. */
  static final int MOST_AT_ONCE = 2;

  private static final Runnable NOTHING = () -> {};

  private final MemoryPool pool;

  /** Is run when memory may be given back that was being read until then. */
  private final Runnable onRead;

  private final RoundFailures failures;

  @GuardedBy("this")
  private final Map<SpillableBatch, Request> requests = new HashMap<>();

  /** Requests to read next, by number. */
  @GuardedBy("this")
  private final TreeMap<Long, Request> waiting = new TreeMap<>();

  /** Requests whose batches are being read, or are in memory and not used yet, by number. */
  @GuardedBy("this")
  private final TreeMap<Long, Request> held = new TreeMap<>();

  @GuardedBy("this")
  private long nextNumber;

  /** Bytes of the batches in {@link #held}. */
  private final AtomicLong heldBytes = new AtomicLong();

  private final AtomicInteger running = new AtomicInteger();

  /** Threads that free memory for others at the moment. */
  private final AtomicInteger pauses = new AtomicInteger();

  /** Bytes of the next batch when there was no memory for it; else {@link Long#MAX_VALUE}. */
  private volatile long lackedBytes = Long.MAX_VALUE;

  /** Whether the memory that the next batch lacks is free, but waiting requests go first. */
  private volatile boolean defers;

  /** Runs the reads; null to read nothing ahead. */
  private volatile Executor executor;

  /** A batch that was asked for; guarded by the monitor of the {@link BatchPrefetcher}. */
  private static final class Request {
    final SpillableBatch batch;
    final long number;
    Runnable whenInMemory = NOTHING;

    /** Bytes that count as held; 0 unless the batch is being read or in memory. */
    long bytes;

    /** The memory of the latest read; null unless the batch is being read or in memory. */
    Reservation memory;

    /** Whether the batch has come nearer since this request was tried last. */
    boolean isNearer;

    Request(SpillableBatch batch, long number) {
      this.batch = batch;
      this.number = number;
    }
  }

  /** A read that may begin, in memory that was reserved for it. */
  private record Read(Request request, Reservation memory) {}

  /**
   * Creates a prefetcher that reads nothing until it has threads.
   *
   * @param onRead is run after each read, successful or not: until then threads that lack memory
   *     could not have it given back. Called by any thread without locks
   */
  BatchPrefetcher(MemoryPool pool, Runnable onRead) {
    this.pool = pool;
    this.onRead = onRead;
    this.failures = new RoundFailures(LOG, "reading a batch ahead into pool " + pool.name());
  }

  /** Starts to read on threads of an executor, or stops with null; reads in progress end. */
  void readOn(Executor threads) {
    executor = threads;
    schedule();
  }

  /** Returns bytes of batches that were read ahead or are being read, and can be given back. */
  long heldBytes() {
    return heldBytes.get();
  }

  /** Notes that a batch is wanted, or is wanted still and has left memory. */
  void wanted(SpillableBatch batch, Runnable whenInMemory) {
    Runnable next;
    synchronized (this) {
      if (!batch.isWanted()) {
        return;
      }
      Request request = requests.computeIfAbsent(batch, added -> new Request(added, nextNumber++));
      request.whenInMemory = whenInMemory == null ? request.whenInMemory : whenInMemory;
      next = tryAgain(request);
    }
    next.run();
  }

  /** Notes that a move or read of a batch has failed: a request for it may be tried again. */
  void stays(SpillableBatch batch) {
    Runnable next;
    synchronized (this) {
      Request request = requests.get(batch);
      if (request == null) {
        return;
      }
      next = tryAgain(request);
    }
    next.run();
  }

  /** Lets a request wait to be read; returns what the caller runs without the monitor. */
  @GuardedBy("this")
  private Runnable tryAgain(Request request) {
    if (request.batch.isInMemory()) {
      return request.whenInMemory;
    }
    if (request.batch.bytesToReadBack() == 0) {
      // It leaves memory: this is called again at the end of the move.
      return NOTHING;
    }
    if (held.containsKey(request.number)) {
      request.isNearer = true;
    } else {
      waiting.put(request.number, request);
    }
    return this::readIfFree;
  }

  private void readIfFree() {
    long lacked = lackedBytes;
    if (lacked == Long.MAX_VALUE || isFree(lacked)) {
      schedule();
    }
  }

  /**
   * Reads on when reading has stopped for lack of memory that is free now.
   *
   * @param soonTaken bytes that are free now and that the calling thread is about to take
   */
  private void readLacked(long soonTaken) {
    long lacked = lackedBytes;
    if (lacked != Long.MAX_VALUE && isFree(lacked + soonTaken)) {
      schedule();
    }
  }

  /** Forgets a batch that is used or gone. */
  synchronized void forget(SpillableBatch batch) {
    Request request = requests.remove(batch);
    if (request != null) {
      waiting.remove(request.number);
      release(request);
    }
  }

  /** Forgets a request, but not a newer one for the same batch. */
  private synchronized void forget(Request request) {
    if (isCurrent(request)) {
      forget(request.batch);
    }
  }

  @GuardedBy("this")
  private boolean isCurrent(Request request) {
    return requests.get(request.batch) == request;
  }

  /** Notes that a request holds no memory any more. */
  @GuardedBy("this")
  private void release(Request request) {
    if (held.remove(request.number) != null) {
      hold(request, 0, null);
    }
  }

  @GuardedBy("this")
  private void hold(Request request, long bytes, Reservation memory) {
    heldBytes.addAndGet(bytes - request.bytes);
    request.bytes = bytes;
    request.memory = memory;
  }

  /** Notes that memory is free; called often, by any thread, and takes no lock. */
  void freed() {
    readLacked(0);
  }

  private boolean isFree(long bytes) {
    return pauses.get() == 0 && pool.availableBytes() - bytes >= pool.limitInBytes() / FREE_SHARES;
  }

  /** Begins no reads until {@link #resume}: the calling thread frees memory for others. */
  void pause() {
    pauses.incrementAndGet();
  }

  /**
   * Ends one {@link #pause}.
   *
   * @param soonTaken as of {@link #readLacked}
   */
  void resume(long soonTaken) {
    pauses.decrementAndGet();
    readLacked(soonTaken);
  }

  /**
   * Gives memory of batches back that are not used yet, the last ones first. Called between {@link
   * #pause} and {@link #resume}.
   *
   * @param wantedBytes bytes that are missing
   * @return bytes freed
   */
  long giveBack(long wantedBytes) {
    if (wantedBytes <= 0 || heldBytes.get() == 0) {
      return 0;
    }
    List<Request> lastFirst;
    synchronized (this) {
      lastFirst = new ArrayList<>(held.descendingMap().values());
    }
    long freed = 0;
    for (Request request : lastFirst) {
      if (freed >= wantedBytes) {
        break;
      }
      long bytes = request.batch.giveBack();
      if (bytes >= 0) {
        freed += bytes;
        putBack(request.batch);
      }
    }
    return freed;
  }

  /** Lets the request for a batch that is not in memory wait again. */
  private synchronized void putBack(SpillableBatch batch) {
    Request request = requests.get(batch);
    long bytes = batch.bytesToReadBack();
    if (request != null && bytes > 0) {
      release(request);
      waiting.put(request.number, request);
      lackedBytes = Math.min(lackedBytes, bytes);
    }
  }

  /** Ends an attempt whose batch cannot be read now: another call says when it may. */
  private synchronized void putAside(Request request) {
    release(request);
    if (request.isNearer && isCurrent(request)) {
      waiting.put(request.number, request);
    }
  }

  /** Makes a thread read unless enough do; takes no lock but the executor's. */
  private void schedule() {
    Executor threads = executor;
    if (threads == null || running.getAndUpdate(this::oneMore) == MOST_AT_ONCE) {
      return;
    }
    try {
      threads.execute(this::work);
    } catch (RejectedExecutionException e) {
      // The process stops using the memory: users read their batches themselves.
      running.decrementAndGet();
    } catch (RuntimeException | Error e) {
      // There may be no memory for a thread; the calling thread only frees memory.
      running.decrementAndGet();
      failures.failed(e);
    }
  }

  private int oneMore(int count) {
    return Math.min(MOST_AT_ONCE, count + 1);
  }

  private void work() {
    try {
      lackedBytes = Long.MAX_VALUE;
      defers = false;
      for (Read read = next(); read != null; read = next()) {
        read(read);
      }
    } catch (RuntimeException | Error e) {
      failures.failed(e);
    } finally {
      running.decrementAndGet();
    }
    if (mayContinue()) {
      schedule();
    }
  }

  /**
   * Returns whether a request was added, or memory became free, when this thread had looked for the
   * last time.
   */
  private boolean mayContinue() {
    boolean hasWaiting;
    synchronized (this) {
      hasWaiting = !waiting.isEmpty();
    }
    long lacked = lackedBytes;
    // While others go first, the end of their turn is told.
    return hasWaiting && (lacked == Long.MAX_VALUE || (!defers && isFree(lacked)));
  }

  /** Returns the next read, with memory for it; null when there is none or no memory. */
  private Read next() {
    for (Request request = first(); request != null; request = first()) {
      try {
        long bytes = request.batch.bytesToReadBack();
        if (!mayBeRead(request.batch, bytes)) {
          putAside(request);
          continue;
        }
        Reservation memory = reserve(request, bytes);
        if (memory != null) {
          return new Read(request, memory);
        }
        if (lackedBytes != Long.MAX_VALUE) {
          return null;
        }
      } catch (RuntimeException | Error e) {
        forget(request);
        throw e;
      }
    }
    return null;
  }

  private boolean mayBeRead(SpillableBatch batch, long bytes) {
    boolean fits = bytes <= pool.limitInBytes() - pool.limitInBytes() / FREE_SHARES;
    return bytes > 0 && fits && batch.isNear(() -> wanted(batch, null));
  }

  private synchronized Request first() {
    Map.Entry<Long, Request> first = executor == null ? null : waiting.pollFirstEntry();
    if (first == null) {
      return null;
    }
    Request request = first.getValue();
    request.isNearer = false;
    held.put(request.number, request);
    return request;
  }

  /**
   * Reserves memory for a read. One thread at a time looks for free memory and takes it.
   *
   * @return null when there is none, or when the request was forgotten meanwhile
   */
  private synchronized Reservation reserve(Request request, long bytes) {
    if (!isCurrent(request) || !held.containsKey(request.number)) {
      return null;
    }
    boolean isFree = isFree(bytes);
    Reservation memory = isFree ? pool.tryReserve("batch read ahead", bytes) : null;
    if (memory == null) {
      release(request);
      waiting.put(request.number, request);
      defers = isFree && isFree(bytes);
      lackedBytes = Math.min(lackedBytes, bytes);
    } else {
      hold(request, bytes, memory);
    }
    return memory;
  }

  /**
   * Counts what a batch in memory has really taken: it shares dictionaries with other batches.
   *
   * @return false when the request was forgotten or its memory was given back meanwhile
   */
  private synchronized boolean keeps(Read read) {
    Request request = read.request();
    boolean keeps = isCurrent(request) && request.memory == read.memory();
    if (keeps) {
      hold(request, read.memory().allocatedBytes(), read.memory());
    }
    return keeps;
  }

  /** Reads a batch for the work that the batch belongs to. */
  private void read(Read read) {
    SpillableBatch batch = read.request().batch;
    SpillOrigin origin = batch.origin();
    ThreadRecord thread = ThreadRecord.current();
    WorkOwner workBefore = thread.workFor(origin.work());
    int nodeBefore = thread.node();
    thread.workOn(origin.node());
    boolean mayWaitBefore = thread.mayWait(false);
    boolean isRead = false;
    try (Reservation memory = read.memory()) {
      isRead = batch.readAhead(memory);
      if (isRead && !keeps(read)) {
        // The batch is not wanted any more, or by a newer request only.
        batch.giveBack();
        stays(batch);
      }
    } catch (RuntimeException | Error e) {
      forget(read.request());
      failures.failed(e);
    } finally {
      thread.mayWait(mayWaitBefore);
      thread.workOn(nodeBefore);
      thread.workFor(workBefore);
    }
    if (isRead) {
      failures.succeeded();
      tell(read.request());
    } else {
      putAside(read.request());
    }
    onRead.run();
  }

  private void tell(Request request) {
    Runnable told;
    synchronized (this) {
      told = request.whenInMemory;
    }
    told.run();
  }
}
