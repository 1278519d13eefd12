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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps room in one memory space: knows the batches at rest there and moves them to the stores
 * below when the space runs short, before anybody fails.
 *
 * <p>A thread of its own is woken when the pool's charge goes over the high mark, a reservation
 * waits or an allocation is refused, and moves batches until that is cured: down to the low mark.
 * Who allocates from a full pool moves batches itself before it is refused. Moves go in small
 * portions, and what is missing is asked before each, so that at most one batch more leaves than is
 * needed; batches of a portion are written together.
 *
 * <p>First go batches at rest that are not needed soon, then memory in use that is {@link
 * Revocable} and that nobody uses at the moment. That is all that is done so that nobody will lack
 * memory, the latter when it is nearly full. For somebody who lacks it, batches that are needed
 * soon go, too; then whoever uses memory that is revocable is asked for it. When nothing more may
 * go or the stores are full the thread rests until something changes. Thread-safe.
 */
public final class SpillController implements SpillSpace, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SpillController.class);

  /**
   * Who has less than this part of the limit in use is asked for it last, before a refusal: putting
   * it away would be of little use.
   */
  private static final int SMALL_SHARES = 256;

  /** How long the thread leaves stores alone that are full. */
  private static final long REST_MILLIS = 250;

  private final MemoryPool pool;
  private final BatchMover mover;
  private final Revocables revocables;
  private final long highMark;
  private final long lowMark;
  private final Set<SpillableBatch> batches = ConcurrentHashMap.newKeySet();

  /** Who waits for others to free memory. */
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

  /** What the pool calls. */
  private final class Pressure implements PressureListener {
    @Override
    public void shortOf(long refused) {
      wake(refused);
    }

    @Override
    public boolean relieve(long requestedBytes) {
      checkNotLost();
      LongSupplier missing = () -> requestedBytes - pool.availableBytes();
      EngineException[] full = {null};
      LongSupplier room = () -> makeRoomIfAny(missing, full);
      if (room.getAsLong() > 0 || missing.getAsLong() <= 0) {
        return true;
      }
      // Whoever puts memory away for others must not wait for them.
      if (!ThreadUse.current().putsAway() && waits.await(requestedBytes, room)) {
        return true;
      }
      if (full[0] != null && missing.getAsLong() > 0) {
        throw full[0];
      }
      return missing.getAsLong() <= 0;
    }

    /** Returns 0 when all stores are full: they, or memory, may be free a moment later. */
    private long makeRoomIfAny(LongSupplier missing, EngineException[] full) {
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
      long target = movedBytes() + wantedBytes;
      makeRoom(() -> target - movedBytes());
    }

    @Override
    public void freed() {
      waits.freed();
    }
  }

  private final SpillableBatch.Owner owner =
      new SpillableBatch.Owner() {
        @Override
        public void gone(SpillableBatch batch) {
          batches.remove(batch);
          mover.remove(batch);
        }

        @Override
        public void idle(SpillableBatch batch) {
          mover.add(batch);
          waits.mayMove();
          wakeIfShort();
        }
      };

  /**
   * Starts to watch a pool.
   *
   * @param pool the memory space; stays the caller's, used by nobody yet
   * @param stores where batches go, the fastest first; stay the caller's, closed after this
   * @param policy which go first
   * @param highMark share of the limit above which batches are moved, 0 to 1
   * @param lowMark share of the limit down to which they are, at most {@code highMark}
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
   * Starts to watch a pool, as above, with other times than the usual ones.
   *
   * @param times how long those wait whose allocations would be refused
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
    this.mover = new BatchMover(pool, stores, policy);
    this.waits = new MemoryWaiters(pool, times);
    this.revocables = new Revocables(waits::mayMove);
    this.highMark = (long) (highMark * pool.limitInBytes());
    this.lowMark = (long) (lowMark * pool.limitInBytes());
    pool.onPressure(this.highMark, new Pressure());
    this.thread = Threads.daemon("ariadne-spill-control-" + pool.tier(), this::watch);
    thread.start();
  }

  @Override
  public SpillableBatch add(
      RecordBatch batch, SpillPlacement placement, SpillableBatch.Watcher watcher) {
    SpillableBatch added = new SpillableBatch(batch, pool.tier(), placement, owner, watcher);
    batches.add(added);
    owner.idle(added);
    return added;
  }

  @Override
  public Revocable revocable(SpillPlacement placement, Revocable.Holder holder) {
    return revocables.add(placement, holder);
  }

  /** Returns batches that are not gone, wherever they are. */
  public int batchCount() {
    return batches.size();
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
   * Says that the contents of the memory are lost, because their device is. From now on nothing is
   * moved out of it, and requests that it has no room for are refused at once. Batches that are
   * elsewhere stay there until they are closed. Never waits; of several reasons the first counts.
   *
   * @param reason told to those who are refused, in one line
   */
  public void lose(String reason) {
    lost.compareAndSet(null, reason);
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
    long freed = makeRoomOf(missing, false, smallShare());
    freed += makeRoomOf(missing, true, 0);
    askFor(missing, 0);
    return freed;
  }

  /** Returns what is little memory in use. */
  private long smallShare() {
    return pool.limitInBytes() / SMALL_SHARES;
  }

  /**
   * Moves batches, and what nobody uses of memory in use when they do not suffice.
   *
   * @param takesNear whether batches go that are needed soon
   * @param leastInUse memory in use of those who have less is left alone
   */
  private long makeRoomOf(LongSupplier missing, boolean takesNear, long leastInUse) {
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
    return pool.allocatedBytes() - lowMark;
  }

  /** Batches at rest have changed: one of them may cure what could not be cured before. */
  private void wakeIfShort() {
    if (isShort || pool.allocatedBytes() > highMark) {
      wake(0);
    }
  }

  /** Called under whatever locks the asking thread has. */
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
        // The thread goes on: a thread that lacks memory is refused with a reason of its own.
        if (isLossOfMemory(e)) {
          lose(e.getMessage());
        } else {
          failures.failed(e);
          isShort = true;
          rest();
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
   * Makes room for who waits and for an allocation like the one refused. Then moves batches that
   * are not needed soon, down to the low mark; and, when memory is nearly full all the same, has
   * memory in use put away.
   */
  private void relieve(long refused) {
    boolean scarce = pool.allocatedBytes() > highMark;
    long free = pool.limitInBytes() - pool.allocatedBytes();
    long target = movedBytes() + refused - free;
    makeRoom(() -> Math.max(pool.shortfall(), refused == 0 ? 0 : target - movedBytes()));
    mover.makeRoom(() -> scarce ? pool.allocatedBytes() - lowMark : 0, false);
    long nearlyFull = highMark + (pool.limitInBytes() - highMark) / 2;
    LongSupplier tooMuch = () -> pool.allocatedBytes() - nearlyFull;
    makeRoomOf(tooMuch, false, smallShare());
    askFor(tooMuch, smallShare());
  }

  /**
   * Waits for the next reason to work; while memory is short for a moment only, since what keeps it
   * so may end without a word, as a full disk does.
   *
   * @return bytes of the largest allocation refused, 0 when there was none, -1 at the end
   */
  private long awaitPressure() {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(REST_MILLIS);
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
      LOG.warn("{} is interrupted by somebody", thread.getName());
      return 0;
    } finally {
      lock.unlock();
    }
  }

  /** Pauses without a lock, which would allocate: what failed may have been an allocation. */
  private void rest() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REST_MILLIS);
    for (long left = end - System.nanoTime(); left > 0 && !closed; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      // One that stays pending would end all pauses.
      Thread.interrupted();
    }
  }

  /**
   * Ends the thread; waits for the portion it moves.
   *
   * @throws IllegalStateException when batches are not gone or memory in use is not closed
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
              + " batches are at rest at the end, "
              + revocables.count()
              + " have memory in use");
    }
  }
}
