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
 * <p>A batch is read only while a quarter of the pool is free beside it, without waiting for memory
 * and without moving other batches. So how many batches are read ahead follows from the memory that
 * is free. A batch stays in its store until it is used: under pressure its memory is given back
 * without a write, that of the last batch first, and the batch is read again later. A batch that
 * cannot be read is left to its user. Thread-safe.
 */
final class BatchPrefetcher {
  private static final Logger LOG = LoggerFactory.getLogger(BatchPrefetcher.class);

  /** The pool has its limit divided by this free after each read. */
  private static final int FREE_SHARES = 4;

  /** Batches that are read at the same time: a second one keeps the disk busy between two reads. */
  private static final int MOST_AT_ONCE = 2;

  private final MemoryPool pool;
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

  /** Bytes of the next batch when there was no memory for it; else {@link Long#MAX_VALUE}. */
  private volatile long lackedBytes = Long.MAX_VALUE;

  /** Runs the reads; null to read nothing ahead. */
  private volatile Executor executor;

  /** A batch that was asked for; guarded by the monitor of the {@link BatchPrefetcher}. */
  private static final class Request {
    final SpillableBatch batch;
    final long number;
    Runnable whenInMemory;

    /** Bytes that count as held; 0 unless the batch is being read or in memory. */
    long bytes;

    /** Whether the batch has come nearer since this request was tried last. */
    boolean isNearer;

    Request(SpillableBatch batch, long number) {
      this.batch = batch;
      this.number = number;
    }
  }

  /** A read that may begin, in memory that was reserved for it. */
  private record Read(Request request, Reservation memory) {}

  BatchPrefetcher(MemoryPool pool) {
    this.pool = pool;
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
    synchronized (this) {
      if (!batch.isWanted()) {
        return;
      }
      Request request = requests.computeIfAbsent(batch, added -> new Request(added, nextNumber++));
      request.whenInMemory = whenInMemory == null ? request.whenInMemory : whenInMemory;
      if (batch.bytesToReadBack() == 0) {
        // In memory: this is called again when it has left.
        return;
      }
      if (held.containsKey(request.number)) {
        request.isNearer = true;
      } else {
        waiting.put(request.number, request);
      }
    }
    long lacked = lackedBytes;
    if (lacked == Long.MAX_VALUE || isFree(lacked)) {
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

  /** Notes that a request holds no memory any more. */
  @GuardedBy("this")
  private void release(Request request) {
    if (held.remove(request.number) != null) {
      heldBytes.addAndGet(-request.bytes);
      request.bytes = 0;
    }
  }

  /** Notes that memory is free; called often, by any thread, and takes no lock. */
  void freed() {
    long lacked = lackedBytes;
    if (lacked != Long.MAX_VALUE && isFree(lacked)) {
      schedule();
    }
  }

  private boolean isFree(long bytes) {
    return pool.availableBytes() - bytes >= pool.limitInBytes() / FREE_SHARES;
  }

  /**
   * Gives memory of batches back that are not used yet, the last ones first.
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
      if (bytes > 0) {
        freed += bytes;
        putBack(request);
        lackedBytes = Math.min(lackedBytes, bytes);
      }
    }
    return freed;
  }

  /** Lets a request whose batch is not in memory wait again. */
  private synchronized void putBack(Request request) {
    release(request);
    if (requests.get(request.batch) == request) {
      waiting.put(request.number, request);
    }
  }

  /** Ends an attempt whose batch cannot be read now: another call says when it may. */
  private synchronized void putAside(Request request) {
    release(request);
    if (request.isNearer && requests.get(request.batch) == request) {
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
    }
  }

  private int oneMore(int count) {
    return Math.min(MOST_AT_ONCE, count + 1);
  }

  private void work() {
    try {
      lackedBytes = Long.MAX_VALUE;
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

  /** Returns whether a request was added when this thread had looked for the last time. */
  private boolean mayContinue() {
    boolean hasWaiting;
    synchronized (this) {
      hasWaiting = !waiting.isEmpty();
    }
    return hasWaiting && lackedBytes == Long.MAX_VALUE;
  }

  /** Returns the next read, with memory for it; null when there is none or no memory. */
  private Read next() {
    for (Request first = first(); first != null; first = first()) {
      Request request = first;
      long bytes = request.batch.bytesToReadBack();
      boolean fits = bytes <= pool.limitInBytes() - pool.limitInBytes() / FREE_SHARES;
      if (!fits || !request.batch.isNear(() -> wanted(request.batch, null))) {
        putAside(request);
        continue;
      }
      Reservation memory = isFree(bytes) ? pool.tryReserve("batch read ahead", bytes) : null;
      if (memory == null) {
        putBack(request);
        lackedBytes = bytes;
        return null;
      }
      if (count(request, bytes)) {
        return new Read(request, memory);
      }
      memory.close();
    }
    return null;
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

  /** Counts the bytes of a read; returns false when the request was forgotten meanwhile. */
  private synchronized boolean count(Request request, long bytes) {
    boolean isWanted = requests.get(request.batch) == request;
    if (isWanted) {
      request.bytes = bytes;
      heldBytes.addAndGet(bytes);
    }
    return isWanted;
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
    } catch (RuntimeException | Error e) {
      forget(batch);
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
  }

  private void tell(Request request) {
    Runnable told;
    synchronized (this) {
      told = request.whenInMemory;
    }
    if (told != null) {
      told.run();
    }
  }
}
