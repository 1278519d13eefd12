package io.ariadne.memory;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.MemoryUse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Accounted buffers of one memory tier under a hard limit, with child pools that have limits of
 * their own.
 *
 * <p>A buffer is charged with its padded capacity to the pool it was asked from and to every pool
 * above, all or none; no pool's charge ever exceeds its limit, but for the reserve of a pool that
 * has one, which is for those who put memory away for others. Memory that is only wrapped (foreign
 * buffers) is not charged: whoever allocated it counts it. Thread-safe and without locks as long as
 * nobody waits for a {@link Reservation}.
 *
 * <p>The creator closes a pool after its buffers, reservations and children. With tracking on,
 * which the system property {@value MemoryPools#TRACK_ALLOCATIONS_PROPERTY} or the creator decides,
 * a leak report names where open buffers were asked for.
 */
public final class MemoryPool implements BufferAllocator, AutoCloseable {
  /** Holders that messages name. */
  private static final int LARGEST = 10;

  private final String name;
  private final MemoryPool parent;
  private final PoolSource source;
  private final long limitInBytes;
  private final String advice;
  private final AtomicLong chargedBytes = new AtomicLong();
  private final AtomicLong peakBytes = new AtomicLong();
  private final AtomicLong openBuffers = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Set<MemoryPool> children = ConcurrentHashMap.newKeySet();
  private final Set<Reservation> reservations = ConcurrentHashMap.newKeySet();
  private final Set<Reclaimer> reclaimers = ConcurrentHashMap.newKeySet();
  private final ReservationQueue queue;

  /** Told when the charge goes over the threshold or a request is refused; may be null. */
  private volatile PressureListener pressureListener;

  private volatile long pressureThreshold = Long.MAX_VALUE;

  /** Beyond the limit, for threads that put memory away. */
  private volatile long reserveInBytes;

  /** Open allocations, or null when sites are not tracked. */
  private final Set<Allocation> tracked;

  MemoryPool(
      String name,
      MemoryPool parent,
      PoolSource source,
      long limit,
      boolean tracking,
      String advice) {
    this.name = Objects.requireNonNull(name, "name is null");
    this.parent = parent;
    this.source = source;
    if (limit < 0) {
      throw new IllegalArgumentException("limit of pool " + name + " is negative: " + limit);
    }
    this.limitInBytes = limit;
    this.advice = Objects.requireNonNull(advice, "advice is null");
    this.tracked = tracking ? ConcurrentHashMap.newKeySet() : null;
    this.queue = parent == null ? new ReservationQueue() : parent.queue;
  }

  /**
   * Creates a child whose buffers count against its own limit and against this pool's.
   *
   * @param childName name for messages
   * @param childLimitInBytes bytes the child may hold at most; may exceed what this pool has left
   * @return a pool to be closed before this one
   */
  public MemoryPool newChild(String childName, long childLimitInBytes) {
    checkOpen();
    String fullName = name + "/" + childName;
    MemoryPool child =
        new MemoryPool(fullName, this, source, childLimitInBytes, tracked != null, advice);
    children.add(child);
    return child;
  }

  /**
   * Allocates a buffer whose contents are undefined, from the reservation that the thread's work
   * spends if that has enough ({@link ThreadUse}); blocks only while whoever listens to the pool's
   * pressure frees memory for it, or between requests that the source refuses ({@link
   * #retrySource}), so the caller holds no lock that this needs.
   *
   * @param lengthInBytes requested length, at least 0; padded to a multiple of 64
   * @return a buffer owned by the caller, aligned to 64 bytes
   * @throws EngineException OUT_OF_MEMORY when this pool's limit or that of one above would be
   *     exceeded, or the source has no memory; the message names the pool, its state and what to
   *     do. A request refused by a pool above is charged here for an instant, in which another may
   *     be refused.
   */
  @Override
  public MemoryBuffer allocate(long lengthInBytes) {
    checkOpen();
    Reservation spent = ThreadUse.current().reservation();
    MemoryBuffer within =
        spent == null || spent.pool() != this ? null : spent.allocateIfFits(lengthInBytes, true);
    if (within != null) {
      return within;
    }
    long capacity = capacityOf(lengthInBytes);
    chargeOrRefuse(lengthInBytes, capacity);
    return newBuffer(lengthInBytes, capacity, this::discharge, true);
  }

  /**
   * Sets bytes aside for what may not block while it allocates; otherwise as {@link #allocate}, and
   * like that without a place in the queue.
   *
   * @param owner who asks, for diagnosis
   * @param lengthInBytes bytes, at least 0; padded to a multiple of 64
   * @return a reservation to be closed by the caller
   * @throws EngineException as {@link #allocate}
   */
  public Reservation secure(String owner, long lengthInBytes) {
    checkOpen();
    long bytes = capacityOf(lengthInBytes);
    chargeOrRefuse(lengthInBytes, bytes);
    Reservation reservation = new Reservation(this, owner, bytes);
    reservations.add(reservation);
    return reservation;
  }

  private void chargeOrRefuse(long lengthInBytes, long capacity) {
    boolean putsAway = ThreadUse.current().putsAway();
    for (MemoryPool full = tryCharge(capacity, putsAway);
        full != null;
        full = tryCharge(capacity, putsAway)) {
      queue.wakeUp();
      if (capacity > full.limitFor(putsAway)) {
        throw refusal(lengthInBytes, full, null);
      }
      if (full.reclaim(capacity) > 0) {
        continue;
      }
      relieveOrRefuse(lengthInBytes, capacity, full);
    }
  }

  /** Has memory freed on this thread; only when that fails others are told of the refusal. */
  private void relieveOrRefuse(long lengthInBytes, long capacity, MemoryPool full) {
    EngineException reason = null;
    try {
      if (full.relieve(capacity)) {
        return;
      }
    } catch (EngineException e) {
      if (e.code() == ErrorCode.DEVICE_LOST) {
        throw e;
      }
      reason = e;
    }
    full.tellShortOf(capacity);
    throw refusal(lengthInBytes, full, reason);
  }

  private EngineException refusal(long lengthInBytes, MemoryPool full, EngineException reason) {
    return new EngineException(
        ErrorCode.OUT_OF_MEMORY,
        "cannot allocate "
            + lengthInBytes
            + " bytes in pool "
            + name
            + ": "
            + full.state()
            + (reason == null ? "" : "; " + reason.getMessage())
            + "; "
            + advice,
        reason);
  }

  private boolean relieve(long bytes) {
    PressureListener listener = pressureListener;
    return listener != null && listener.relieve(bytes);
  }

  @Override
  public MemoryBuffer allocateZeroed(long lengthInBytes) {
    return zeroed(allocate(lengthInBytes));
  }

  /**
   * Sets bytes aside; blocks until they are there or the time is over.
   *
   * <p>Requests for the same memory are served in the order of their arrival, after reservations
   * that grow. Plain {@link #allocate} calls do not queue. May be called by any thread that holds
   * no lock which a thread freeing memory needs, and no reservation: that one is to grow instead.
   *
   * @param owner who asks, for diagnosis
   * @param lengthInBytes bytes, at least 0; padded to a multiple of 64
   * @param timeoutMillis how long to wait at most; 0 does not wait
   * @return a reservation to be closed by the caller
   * @throws EngineException OUT_OF_MEMORY when the time is over or the request can never fit; the
   *     message lists limits, charges and open reservations
   * @throws InterruptedException when the thread is interrupted while it waits
   */
  public Reservation reserve(String owner, long lengthInBytes, long timeoutMillis)
      throws InterruptedException {
    checkOpen();
    long bytes = capacityOf(lengthInBytes);
    queue.charge(this, owner, bytes, false, timeoutMillis);
    Reservation reservation = new Reservation(this, owner, bytes);
    reservations.add(reservation);
    return reservation;
  }

  /**
   * Sets bytes aside if they are there; does not wait and does not overtake those who do.
   *
   * @param owner who asks, for diagnosis
   * @param lengthInBytes bytes, at least 0; padded to a multiple of 64
   * @return a reservation to be closed by the caller, or null
   */
  public Reservation tryReserve(String owner, long lengthInBytes) {
    checkOpen();
    long bytes = capacityOf(lengthInBytes);
    if (!queue.tryCharge(this, bytes, false)) {
      return null;
    }
    Reservation reservation = new Reservation(this, owner, bytes);
    reservations.add(reservation);
    return reservation;
  }

  /**
   * Says who is told when this pool, not one below it, runs short. Set once, before the pool is
   * used.
   *
   * @param thresholdInBytes charge above which memory is scarce
   * @param listener who is told
   */
  public void onPressure(long thresholdInBytes, PressureListener listener) {
    if (pressureListener != null) {
      throw new IllegalStateException("pool " + name + " has a pressure listener already");
    }
    pressureListener = Objects.requireNonNull(listener, "listener is null");
    pressureThreshold = thresholdInBytes;
  }

  /**
   * Keeps bytes beyond the limit for threads that put memory away ({@link ThreadUse#putsAway}):
   * that takes memory at first, and there is least of it when it is needed most. Set once, before
   * the pool is used.
   *
   * @param bytes what such threads may charge beyond the limit, all together
   */
  public void keepReserve(long bytes) {
    reserveInBytes = bytes;
  }

  /** Returns bytes beyond the limit that threads may charge while they put memory away. */
  public long reserveInBytes() {
    return reserveInBytes;
  }

  /**
   * Says how long a request is made again, after pauses, that the source refuses although the
   * limits have room; without this there are no pauses. Set once, before the pool is used, for it
   * and those below.
   *
   * @param most how long at most, not negative
   * @throws IllegalStateException for a pool below another one
   */
  public void retrySource(Duration most) {
    if (parent != null) {
      throw new IllegalStateException("pool " + name + " has no source of its own");
    }
    source.retryFor(most);
  }

  private long limitFor(boolean putsAway) {
    return putsAway ? limitInBytes + reserveInBytes : limitInBytes;
  }

  /**
   * Registers somebody who keeps memory of this pool for later and gives it back when others lack
   * it, before anybody's batches are moved.
   *
   * @param reclaimer to be {@link #removeReclaimer removed} before its memory is gone for good
   */
  public void addReclaimer(Reclaimer reclaimer) {
    for (MemoryPool pool = this; pool != null; pool = pool.parent) {
      pool.reclaimers.add(reclaimer);
    }
  }

  /** Forgets a reclaimer. */
  public void removeReclaimer(Reclaimer reclaimer) {
    for (MemoryPool pool = this; pool != null; pool = pool.parent) {
      pool.reclaimers.remove(reclaimer);
    }
  }

  /**
   * Lets reclaimers give memory back.
   *
   * @param bytes how much is wanted
   * @return bytes that are free now and were not, more than wanted at times
   */
  public long reclaim(long bytes) {
    long freed = 0;
    for (Reclaimer each : reclaimers) {
      freed += freed < bytes ? each.reclaim() : 0;
    }
    return freed;
  }

  /**
   * Returns whether the charge of this pool or of one above is over the threshold of its listener:
   * nobody should keep memory for later then. A snapshot.
   */
  public boolean isUnderPressure() {
    return chargedBytes.get() > pressureThreshold || (parent != null && parent.isUnderPressure());
  }

  /**
   * Has batches leave this pool or those above although there is room by their limits.
   *
   * @throws EngineException OUT_OF_MEMORY with the reason why they cannot
   */
  void moveOut(long bytes) {
    for (MemoryPool pool = this; pool != null; pool = pool.parent) {
      PressureListener listener = pool.pressureListener;
      if (listener != null) {
        listener.moveOut(bytes);
      }
    }
  }

  /** Tells the listener, if there is one. */
  void tellShortOf(long requestedBytes) {
    PressureListener listener = pressureListener;
    if (listener != null) {
      listener.shortOf(requestedBytes);
    }
  }

  /**
   * Returns bytes that must become free in this pool before the next reservation that waits for
   * them is granted; 0 when none waits.
   */
  public long shortfall() {
    return queue.shortfall(this);
  }

  /** Returns bytes charged: open buffers, padding included, and unused parts of reservations. */
  @Override
  public long allocatedBytes() {
    return chargedBytes.get();
  }

  @Override
  public MemoryTier tier() {
    return source.tier();
  }

  /** Returns the name, with the names of the pools above before it. */
  public String name() {
    return name;
  }

  /** Returns bytes this pool may charge at most. */
  public long limitInBytes() {
    return limitInBytes;
  }

  /** Returns bytes that the calling thread could charge now, the pools above considered. */
  public long availableBytes() {
    long limit = limitFor(ThreadUse.current().putsAway());
    long own = Math.max(0, limit - chargedBytes.get());
    return parent == null ? own : Math.min(own, parent.availableBytes());
  }

  /** Returns the largest charge so far. */
  public long peakBytes() {
    return peakBytes.get();
  }

  /** Returns buffers of this pool, without its children's, that are not closed. */
  public long openBufferCount() {
    return openBuffers.get();
  }

  /** Returns whether open buffers are reported with the place they were asked for. */
  public boolean isTracking() {
    return tracked != null;
  }

  /**
   * Closes the pool for new buffers. Open buffers stay usable and may be closed later.
   *
   * @throws EngineException INTERNAL with the {@link #leakReport} when anything is still open
   * @throws IllegalStateException when the pool was closed before
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      throw new IllegalStateException("pool " + name + " is already closed");
    }
    String report = leakReport();
    if (!report.isEmpty()) {
      throw new EngineException(ErrorCode.INTERNAL, report);
    }
    if (parent != null) {
      parent.children.remove(this);
    }
  }

  /**
   * Describes what is still open: bytes, reservations, children and, with tracking on, the places
   * buffers were asked for.
   *
   * @return the text, empty when nothing is open
   */
  public String leakReport() {
    return LeakReport.of(this);
  }

  /** Returns the open reservations that hold most, at most {@value #LARGEST}, the largest first. */
  public List<Reservation> largestReservations() {
    return Reservation.largest(reservations, LARGEST);
  }

  /** Describes the pool in one line for messages. */
  public String state() {
    return "pool "
        + name
        + " ("
        + tier()
        + "): limit="
        + limitInBytes
        + " allocated="
        + chargedBytes.get()
        + " peak="
        + peakBytes.get()
        + " openBuffers="
        + openBuffers.get()
        + (reserveInBytes == 0 ? "" : " reserve=" + reserveInBytes);
  }

  @Override
  public String toString() {
    return state();
  }

  /** Returns what the user can do when memory runs out. */
  String advice() {
    return advice;
  }

  MemoryPool parent() {
    return parent;
  }

  ReservationQueue queue() {
    return queue;
  }

  Set<MemoryPool> children() {
    return children;
  }

  Set<Reservation> reservations() {
    return reservations;
  }

  /** Returns open allocations, or null when sites are not tracked. */
  Set<Allocation> tracked() {
    return tracked;
  }

  /** Pads a requested length and refuses impossible ones. */
  static long capacityOf(long lengthInBytes) {
    if (lengthInBytes < 0 || lengthInBytes > Long.MAX_VALUE - MemoryBuffer.ALIGNMENT) {
      throw new IllegalArgumentException("length is out of range: " + lengthInBytes);
    }
    return MemoryBuffer.padded(lengthInBytes);
  }

  /**
   * Charges this pool and those above; returns null, or the pool that is full, nothing charged.
   *
   * <p>What a pool above refuses was charged here for an instant, in which a waiter may have been
   * passed over: whoever does not hold the queue's lock wakes the queue after a refusal.
   *
   * @param putsAway whether reserves may be charged, too
   */
  MemoryPool tryCharge(long bytes, boolean putsAway) {
    long limit = limitFor(putsAway);
    long before;
    do {
      before = chargedBytes.get();
      // Nothing is free to take also where others have charged the reserve.
      if (bytes > 0 && bytes > limit - before) {
        return this;
      }
    } while (!chargedBytes.compareAndSet(before, before + bytes));
    MemoryPool full = parent == null ? null : parent.tryCharge(bytes, putsAway);
    if (full != null) {
      chargedBytes.addAndGet(-bytes);
      return full;
    }
    if (before + bytes > pressureThreshold && before <= pressureThreshold) {
      pressureListener.shortOf(0);
    }
    peakBytes.accumulateAndGet(before + bytes, Math::max);
    return null;
  }

  /** Takes a charge back from this pool and those above and lets waiting reservations try. */
  void discharge(long bytes) {
    for (MemoryPool pool = this; pool != null; pool = pool.parent) {
      long after = pool.chargedBytes.addAndGet(-bytes);
      if (after < 0) {
        throw new IllegalStateException("pool " + pool.name + " is charged " + after + " bytes");
      }
    }
    if (bytes > 0) {
      queue.wakeUp();
      tellFreed();
    }
  }

  private void tellFreed() {
    for (MemoryPool pool = this; pool != null; pool = pool.parent) {
      PressureListener listener = pool.pressureListener;
      if (listener != null) {
        listener.freed();
      }
    }
  }

  /**
   * Makes a buffer of memory that is already charged; takes the charge back when that fails.
   *
   * @param movesBatches as of {@link PoolSource#allocate}
   */
  MemoryBuffer newBuffer(
      long lengthInBytes, long capacity, Allocation.Account account, boolean movesBatches) {
    ThreadUse use;
    MemoryUse holder;
    long address;
    try {
      use = ThreadUse.current();
      holder = use.holder();
      address = source.allocate(this, capacity, movesBatches);
    } catch (RuntimeException | Error e) {
      account.release(capacity);
      throw e;
    }
    Throwable site = tracked == null ? null : new Throwable("allocation of " + capacity);
    Allocation allocation = new Allocation(this, account, capacity, site, holder);
    use.took(tier(), capacity);
    openBuffers.incrementAndGet();
    if (tracked != null) {
      tracked.add(allocation);
    }
    return new MemoryBuffer(address, lengthInBytes, capacity, tier(), allocation);
  }

  /** Zeroes a new buffer to its capacity; closes it when that fails. */
  MemoryBuffer zeroed(MemoryBuffer buffer) {
    return source.zeroed(buffer);
  }

  /** Gives an allocation's memory back to the source; its charge is taken back by the caller. */
  void free(Allocation allocation, long address) {
    if (tracked != null) {
      tracked.remove(allocation);
    }
    openBuffers.decrementAndGet();
    ThreadUse.current().took(tier(), -allocation.lengthInBytes());
    source.free(address, allocation.lengthInBytes());
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException("pool " + name + " is closed");
    }
  }
}
