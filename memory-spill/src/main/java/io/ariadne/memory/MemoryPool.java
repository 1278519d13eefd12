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
 * Allocates buffers of one memory tier and accounts for them under a hard limit; child pools have
 * limits of their own.
 *
 * <p>A buffer is charged with its padded capacity to the pool that allocates it and to every pool
 * above, all or none. No pool's charge ever exceeds its limit, except by the pool's reserve, which
 * only threads that revoke memory may use. Wrapped memory (foreign buffers) is not charged: its
 * allocator counts it. Thread-safe, and without locks as long as no thread waits for a {@link
 * Reservation}.
 *
 * <p>The creator closes a pool after its buffers, reservations and children. With tracking on,
 * which the system property {@value MemoryPools#TRACK_ALLOCATIONS_PROPERTY} or the creator decides,
 * a leak report names the places where open buffers were allocated.
 */
public final class MemoryPool implements BufferAllocator, AutoCloseable {
  /** How many reservations a message names. */
  private static final int LARGEST = 10;

  private final String name;
  private final MemoryPool parent;
  final PoolSource source;
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

  /** Called when the charge exceeds the threshold or a request is refused; may be null. */
  private volatile PressureListener pressureListener;

  private volatile long pressureThreshold = Long.MAX_VALUE;

  /** Bytes beyond the limit, for threads that revoke memory. */
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
   * Allocates a buffer whose contents are undefined, from the thread's current reservation if that
   * has enough bytes ({@link ThreadUse}). Does not wait in the queue of reservations. Blocks while
   * the {@link PressureListener} of a full pool frees memory, and between requests that the source
   * refuses ({@link #retrySource}); so the caller holds no lock that freeing memory needs.
   *
   * @param lengthInBytes requested length, at least 0; padded to a multiple of 64
   * @return a buffer owned by the caller, aligned to 64 bytes
   * @throws EngineException OUT_OF_MEMORY when this pool's limit or that of one above would be
   *     exceeded, or the source has no memory; the message names the pool, its state and what to
   *     do. A request that a pool above refuses is charged here for an instant, during which
   *     another request may be refused.
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
   * Reserves bytes for code that must not block while it allocates. Like {@link #allocate}, this
   * may block itself, but does not wait in the queue of reservations.
   *
   * @param owner names the caller, for diagnosis
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

  /** Frees memory on this thread; only when that fails is the listener told of the refusal. */
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
   * Reserves bytes; blocks until they are free or the time is over.
   *
   * <p>Requests for the same memory are served in the order of their arrival, after reservations
   * that grow. Plain {@link #allocate} calls do not queue. The calling thread holds no lock that a
   * thread freeing memory needs, and no other reservation, which is to grow instead.
   *
   * @param owner names the caller, for diagnosis
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
   * Reserves bytes if they are free; does not wait, and does not overtake waiting requests.
   *
   * @param owner names the caller, for diagnosis
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
   * Sets the listener that is called when this pool, not one below it, runs short. Set once, before
   * the pool is used.
   *
   * @param thresholdInBytes charge above which memory is scarce
   * @param listener frees memory
   */
  public void onPressure(long thresholdInBytes, PressureListener listener) {
    if (pressureListener != null) {
      throw new IllegalStateException("pool " + name + " has a pressure listener already");
    }
    pressureListener = Objects.requireNonNull(listener, "listener is null");
    pressureThreshold = thresholdInBytes;
  }

  /**
   * Sets a reserve beyond the limit for threads that revoke memory ({@link ThreadUse#putsAway}):
   * revoking takes memory itself, when there is least of it. Set once, before the pool is used.
   *
   * @param bytes bytes that all such threads together may charge beyond the limit
   */
  public void keepReserve(long bytes) {
    reserveInBytes = bytes;
  }

  /** Returns bytes beyond the limit that threads may charge while they revoke memory. */
  public long reserveInBytes() {
    return reserveInBytes;
  }

  /**
   * Sets how long the pool repeats a request that its source refuses although the limits allow it.
   * The pool pauses before each repetition. By default there are no such repetitions. Called once,
   * before the pool is used; holds for this pool and the pools below it.
   *
   * @param most longest time, not negative
   * @throws IllegalStateException when this pool is below another pool
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
   * Registers a reclaimer, which keeps idle memory of this pool and gives it back when memory runs
   * short, before any batches are moved.
   *
   * @param reclaimer the caller {@link #removeReclaimer removes} it before it frees the memory for
   *     good
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
   * Makes reclaimers give memory back.
   *
   * @param bytes how much is wanted
   * @return bytes that were freed, sometimes more than wanted
   */
  public long reclaim(long bytes) {
    long freed = 0;
    for (Reclaimer each : reclaimers) {
      freed += freed < bytes ? each.reclaim() : 0;
    }
    return freed;
  }

  /**
   * Returns whether the charge of this pool or of one above exceeds the threshold of its listener:
   * idle memory should not be kept then. A snapshot.
   */
  public boolean isUnderPressure() {
    return chargedBytes.get() > pressureThreshold || (parent != null && parent.isUnderPressure());
  }

  /**
   * Moves batches out of this pool or those above although their limits are not exceeded.
   *
   * @throws EngineException OUT_OF_MEMORY with the reason why no batch can be moved
   */
  void moveOut(long bytes) {
    for (MemoryPool pool = this; pool != null; pool = pool.parent) {
      PressureListener listener = pool.pressureListener;
      if (listener != null) {
        listener.moveOut(bytes);
      }
    }
  }

  /** Tells the listener, if there is one, that memory is short. */
  void tellShortOf(long requestedBytes) {
    PressureListener listener = pressureListener;
    if (listener != null) {
      listener.shortOf(requestedBytes);
    }
  }

  /**
   * Returns bytes that must become free in this pool before the next waiting reservation is
   * granted; 0 when none waits.
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

  /** Returns whether leak reports name the places where open buffers were allocated. */
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
   * where buffers were allocated.
   *
   * @return the text, empty when nothing is open
   */
  public String leakReport() {
    return LeakReport.of(this);
  }

  /** Returns the largest open reservations, at most {@value #LARGEST}, the largest first. */
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

  /** Pads a requested length; fails when it is out of range. */
  static long capacityOf(long lengthInBytes) {
    if (lengthInBytes < 0 || lengthInBytes > Long.MAX_VALUE - MemoryBuffer.ALIGNMENT) {
      throw new IllegalArgumentException("length is out of range: " + lengthInBytes);
    }
    return MemoryBuffer.padded(lengthInBytes);
  }

  /**
   * Charges this pool and those above.
   *
   * <p>A request that a pool above refuses is charged here for an instant, during which a waiting
   * request may have been passed over: a caller without the queue's lock wakes the queue after a
   * refusal.
   *
   * @param putsAway whether reserves may be charged, too
   * @return null, or the full pool if nothing is charged
   */
  MemoryPool tryCharge(long bytes, boolean putsAway) {
    long limit = limitFor(putsAway);
    long before;
    do {
      before = chargedBytes.get();
      // The difference is negative while other threads have charged the reserve.
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

  /** Removes a charge from this pool and those above, and serves waiting reservations. */
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

  void tellFreed() {
    for (MemoryPool pool = this; pool != null; pool = pool.parent) {
      PressureListener listener = pool.pressureListener;
      if (listener != null) {
        listener.freed();
      }
    }
  }

  /**
   * Creates a buffer whose bytes are already charged; removes the charge when that fails.
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

  /** Gives an allocation's memory back to the source; the caller removes its charge. */
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
