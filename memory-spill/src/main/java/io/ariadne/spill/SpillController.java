package io.ariadne.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.RoundFailures;
import io.ariadne.event.Threads;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.PressureListener;
import io.ariadne.memory.ThreadUse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps memory free in one memory space: moves its spillable batches to the stores below when the
 * space runs short, before an allocation fails.
 *
 * <p>The controller's thread wakes up when the pool's charge exceeds the high mark, a reservation
 * waits or an allocation is refused. It moves batches until waiting requests are served and the
 * charge is below the low mark. A thread that allocates from a full pool moves batches itself
 * before it is refused. Batches move in small portions, which are written together. Before each
 * portion the controller asks what is missing, so at most one batch more leaves than is needed.
 *
 * <p>Batches that were read ahead are given back first. Batches that are not needed soon go next,
 * then {@link Revocable} memory that is not in use at the moment. In advance nothing else goes, and
 * revocable memory only when memory is nearly full. For a thread that lacks memory, batches that
 * are needed soon go next; then the controller asks for revocable memory that is in use. When
 * nothing more may go or the stores are full, the thread sleeps until something changes.
 * Thread-safe.
 */
public final class SpillController implements SpillSpace, AutoCloseable {
  /** How many batches a controller reads ahead at the same time. */
  public static final int READS_AHEAD = BatchPrefetcher.MOST_AT_ONCE;

  private static final Logger LOG = LoggerFactory.getLogger(SpillController.class);

  /**
   * Revocable memory that is smaller than this part of the limit is revoked last, before a refusal:
   * it frees little.
   */
  private static final int SMALL_SHARES = 256;

  /** How long the thread waits before it tries full stores again. */
  private static final long PAUSE_MILLIS = 250;

  private final MemoryPool pool;
  private final BatchMover mover;
  private final Revocables revocables;
  private final BatchPrefetcher prefetcher;
  private final long highMark;
  private final long lowMark;
  private final Set<SpillableBatch> batches = ConcurrentHashMap.newKeySet();

  /** The threads that wait until other threads free memory. */
  private final MemoryWaiters waits;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;

  @GuardedBy("lock")
  private long refusedBytes;

  @GuardedBy("lock")
  private boolean woken;

  private volatile boolean closed;

  /** Why the contents of the memory are lost; null while they are not. */
  private final AtomicReference<String> lost = new AtomicReference<>();

  private final RoundFailures failures =
      new RoundFailures(LOG, "memory runs short and freeing it fails");

  /** Whether memory was short after the last attempt to free some. */
  private volatile boolean isShort;

  /** Is called by the pool. */
  private final class Pressure implements PressureListener {
    @Override
    public void shortOf(long refused) {
      wake(refused);
    }

    @Override
    public boolean relieve(long requestedBytes) {
      checkNotLost();
      long soonTaken = 0;
      prefetcher.pause();
      try {
        boolean mayFit = freeOrWait(requestedBytes);
        soonTaken = mayFit ? requestedBytes : 0;
        return mayFit;
      } finally {
        prefetcher.resume(soonTaken);
      }
    }

    private boolean freeOrWait(long requestedBytes) {
      LongSupplier missing = () -> requestedBytes - pool.availableBytes();
      EngineException[] full = {null};
      LongSupplier evict = () -> evictIfPossible(missing, full);
      if (evict.getAsLong() > 0 || missing.getAsLong() <= 0) {
        return true;
      }
      // A thread that revokes memory for other threads must not wait for them.
      if (!ThreadUse.current().putsAway() && waits.await(requestedBytes, evict)) {
        return true;
      }
      if (full[0] != null && missing.getAsLong() > 0) {
        throw full[0];
      }
      return missing.getAsLong() <= 0;
    }

    /** Returns 0 when all stores are full: stores or memory may be free a moment later. */
    private long evictIfPossible(LongSupplier missing, EngineException[] full) {
      try {
        return makeRoom(missing);
      } catch (EngineException e) {
        if (e.code() != ErrorCode.OUT_OF_MEMORY) {
          throw e;
        }
        full[0] = e;
        return 0;
      }
    }

    @Override
    public void moveOut(long wantedBytes) {
      prefetcher.pause();
      try {
        long target = movedBytes() + wantedBytes - prefetcher.giveBack(wantedBytes);
        makeRoom(() -> target - movedBytes());
      } finally {
        prefetcher.resume(0);
      }
    }

    @Override
    public void freed() {
      waits.freed();
      prefetcher.freed();
    }
  }

  private final BatchOwner owner =
      new BatchOwner() {
        @Override
        public void gone(SpillableBatch batch) {
          batches.remove(batch);
          mover.remove(batch);
          prefetcher.forget(batch);
        }

        @Override
        public void idle(SpillableBatch batch) {
          mover.add(batch);
          mayFree();
        }

        @Override
        public void wanted(SpillableBatch batch, Runnable whenInMemory) {
          prefetcher.wanted(batch, whenInMemory);
        }

        @Override
        public void stays(SpillableBatch batch) {
          prefetcher.stays(batch);
        }

        @Override
        public void used(SpillableBatch batch) {
          prefetcher.forget(batch);
        }
      };

  /**
   * Starts to watch a pool.
   *
   * @param pool the memory space, not in use yet; the caller keeps ownership
   * @param stores where batches go, the fastest first; the caller owns them and closes them after
   *     the controller
   * @param policy order in which batches go
   * @param highMark share of the limit above which batches are moved, 0 to 1
   * @param lowMark share of the limit down to which batches are moved, at most {@code highMark}
   */
  public SpillController(
      MemoryPool pool,
      List<SpillStore> stores,
      EvictionPolicy policy,
      double highMark,
      double lowMark) {
    this(pool, stores, policy, highMark, lowMark, WaitTimes.DEFAULT);
  }

  /**
   * Starts to watch a pool, as the other constructor does, with other times than the default ones.
   *
   * @param times how long threads wait before their allocations are refused
   */
  public SpillController(
      MemoryPool pool,
      List<SpillStore> stores,
      EvictionPolicy policy,
      double highMark,
      double lowMark,
      WaitTimes times) {
    if (!(0 <= lowMark && lowMark <= highMark && highMark <= 1)) {
      throw new IllegalArgumentException("marks " + lowMark + " and " + highMark);
    }
    this.pool = pool;
    this.mover = new BatchMover(pool, stores, policy, this::deleteCopies);
    this.prefetcher = new BatchPrefetcher(pool, this::mayFree);
    this.waits = new MemoryWaiters(pool, times);
    this.revocables = new Revocables(waits::mayMove);
    this.highMark = (long) (highMark * pool.limitInBytes());
    this.lowMark = (long) (lowMark * pool.limitInBytes());
    pool.onPressure(this.highMark, new Pressure());
    this.thread = Threads.daemon("ariadne-spill-control-" + pool.tier(), this::watch);
    thread.start();
  }

  /**
   * Starts to read batches back ahead of their use, as {@link SpillableBatch#prefetch} says.
   *
   * @param threads run the reads, which block; they may be shut down before the controller is
   *     closed. Null to read nothing ahead.
   */
  public void prefetchOn(Executor threads) {
    prefetcher.readOn(threads);
  }

  @Override
  public SpillableBatch add(RecordBatch batch, SpillPlacement placement, PresenceWatcher watcher) {
    SpillableBatch added = new SpillableBatch(batch, pool.tier(), placement, owner, watcher);
    batches.add(added);
    owner.idle(added);
    return added;
  }

  @Override
  public Revocable revocable(SpillPlacement placement, Revocable.Holder holder) {
    return revocables.add(placement, holder);
  }

  /** Returns the number of batches that are not gone, in all tiers. */
  public int batchCount() {
    return batches.size();
  }

  /** Returns whether batches in memory had copies in stores, which are deleted then. */
  private boolean deleteCopies() {
    boolean deleted = false;
    for (SpillableBatch batch : batches) {
      deleted |= batch.deleteCopy();
    }
    return deleted;
  }

  /** Returns bytes of memory that moves have freed so far. */
  public long movedBytes() {
    return mover.movedBytes();
  }

  /** Returns batches moved so far. */
  public long movedBatches() {
    return mover.movedBatches();
  }

  /** Returns nanoseconds spent moving so far. */
  public long movingNanos() {
    return mover.movingNanos();
  }

  /**
   * Marks the contents of the memory as lost, because the device is lost. From now on nothing is
   * moved out of the memory, and requests that do not fit are refused at once. Batches in other
   * tiers stay there until they are closed. Never waits; of several reasons the first counts.
   *
   * @param reason one line, part of each refusal
   */
  public void lose(String reason) {
    lost.compareAndSet(null, reason);
    prefetcher.readOn(null);
    waits.mayMove();
  }

  private void checkNotLost() {
    String reason = lost.get();
    if (reason != null) {
      throw new EngineException(ErrorCode.DEVICE_LOST, reason);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws EngineException DEVICE_LOST when the contents of the memory are lost
   */
  @Override
  public long makeRoom(LongSupplier missing) {
    checkNotLost();
    prefetcher.pause();
    try {
      long freed = prefetcher.giveBack(missing.getAsLong());
      freed += evict(missing, false, smallShare());
      freed += evict(missing, true, 0);
      askFor(missing, 0);
      return freed;
    } finally {
      prefetcher.resume(0);
    }
  }

  /** Returns the size below which revocable memory counts as small. */
  private long smallShare() {
    return pool.limitInBytes() / SMALL_SHARES;
  }

  /**
   * Moves batches, and revokes memory that is not in use at the moment when they do not suffice.
   *
   * @param takesNear whether batches that are needed soon may go
   * @param leastInUse revocable memory that is smaller stays
   */
  private long evict(LongSupplier missing, boolean takesNear, long leastInUse) {
    long freed = mover.makeRoom(missing, takesNear);
    for (long left = missing.getAsLong();
        left > 0 && revocables.revokeIdle(left, leastInUse);
        left = missing.getAsLong()) {
      freed += mover.makeRoom(missing, takesNear);
    }
    return freed;
  }

  private void askFor(LongSupplier missing, long leastInUse) {
    long left = missing.getAsLong();
    if (left > 0) {
      revocables.ask(left, leastInUse);
    }
  }

  @Override
  public long capacityInBytes() {
    return pool.limitInBytes();
  }

  @Override
  public long excessBytes() {
    long allocated = pool.allocatedBytes();
    return allocated - Math.min(allocated, prefetcher.heldBytes()) - lowMark;
  }

  /** Notes that a batch has become idle, which may free what could not be freed before. */
  private void mayFree() {
    waits.mayMove();
    if (isShort || pool.allocatedBytes() > highMark) {
      wake(0);
    }
  }

  /** Called by any thread, which may hold locks. */
  private void wake(long refused) {
    lock.lock();
    try {
      refusedBytes = Math.max(refusedBytes, refused);
      woken = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void watch() {
    while (!closed) {
      try {
        long refused = awaitPressure();
        if (refused >= 0 && lost.get() == null) {
          relieve(refused);
          failures.succeeded();
        }
        boolean lacks = pool.shortfall() > 0 || pool.allocatedBytes() > highMark;
        isShort = lacks && lost.get() == null;
      } catch (RuntimeException | Error e) {
        // Continue: a thread that lacks memory is refused with a reason of its own.
        if (isLossOfMemory(e)) {
          lose(e.getMessage());
        } else {
          failures.failed(e);
          isShort = true;
          pause();
        }
      }
    }
  }

  private boolean isLossOfMemory(Throwable e) {
    return pool.tier() == MemoryTier.DEVICE
        && e instanceof EngineException engine
        && engine.code() == ErrorCode.DEVICE_LOST;
  }

  /**
   * Frees memory for waiting reservations and for an allocation like the one refused. What was read
   * ahead is given back first, down to the high mark, which takes no time. If the charge is still
   * above the high mark, batches that are not needed soon are moved, down to the low mark. If
   * memory is still nearly full, memory in use is revoked.
   */
  private void relieve(long refused) {
    prefetcher.pause();
    try {
      free(refused);
    } finally {
      prefetcher.resume(0);
    }
  }

  private void free(long refused) {
    prefetcher.giveBack(pool.allocatedBytes() - highMark);
    prefetcher.giveBack(refused - (pool.limitInBytes() - pool.allocatedBytes()));
    boolean scarce = pool.allocatedBytes() > highMark;
    long free = pool.limitInBytes() - pool.allocatedBytes();
    long target = movedBytes() + refused - free;
    makeRoom(() -> Math.max(pool.shortfall(), refused == 0 ? 0 : target - movedBytes()));
    mover.makeRoom(() -> scarce ? pool.allocatedBytes() - lowMark : 0, false);
    long nearlyFull = highMark + (pool.limitInBytes() - highMark) / 2;
    LongSupplier tooMuch = () -> pool.allocatedBytes() - nearlyFull;
    evict(tooMuch, false, smallShare());
    askFor(tooMuch, smallShare());
  }

  /**
   * Waits for the next reason to move batches. While memory is short, waits for a moment only,
   * because the controller is not told when the reason ends, such as that a disk is full.
   *
   * @return bytes of the largest allocation refused, 0 when there was none, -1 when closed
   */
  private long awaitPressure() {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
      while (!woken && !closed && nanos > 0) {
        if (isShort) {
          nanos = changed.awaitNanos(nanos);
        } else {
          changed.await();
        }
      }
      long refused = closed ? -1 : refusedBytes;
      woken = false;
      refusedBytes = 0;
      return refused;
    } catch (InterruptedException e) {
      LOG.warn("{} was interrupted", thread.getName());
      return 0;
    } finally {
      lock.unlock();
    }
  }

  /** Pauses without a lock, since locks allocate and the failure may be a lack of heap memory. */
  private void pause() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
    for (long left = end - System.nanoTime(); left > 0 && !closed; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      // A pending interrupt would end all pauses.
      Thread.interrupted();
    }
  }

  /**
   * Ends the controller's thread; waits for the portion that it moves.
   *
   * @throws IllegalStateException when batches or revocables are not closed
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    LockSupport.unpark(thread);
    Threads.join(thread);
    if (!batches.isEmpty() || revocables.count() > 0) {
      throw new IllegalStateException(
          batches.size()
              + " spillable batches and "
              + revocables.count()
              + " revocables are not closed");
    }
  }
}
