package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.EventKind;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.PressureListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
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
 * needed; batches of a portion are written together. When nothing more may go or the stores are
 * full it rests until something changes. Thread-safe.
 */
public final class SpillController implements SpillSpace, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SpillController.class);

  /** Bytes that are moved before it is asked again what is missing, unless a batch is larger. */
  private static final long PORTION_BYTES = 8L << 20;

  /** How long the thread leaves stores alone that are full. */
  private static final long REST_MILLIS = 250;

  private final MemoryPool pool;
  private final List<SpillStore> stores;
  private final EvictionPolicy policy;
  private final long highMark;
  private final long lowMark;
  private final Set<SpillableBatch> batches = ConcurrentHashMap.newKeySet();
  private final AtomicLong movedBytes = new AtomicLong();
  private final AtomicLong movedBatches = new AtomicLong();
  private final AtomicLong movingNanos = new AtomicLong();

  /** Who waits for others to free memory. */
  private final RoomWaits waits;

  /** One portion is chosen and moved at a time. */
  private final ReentrantLock moving = new ReentrantLock(true);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;
  private long refusedBytes;
  private boolean woken;
  private boolean closed;

  /** Whether the thread has failed, and told, since it last succeeded. */
  private boolean hasWarned;

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
      LongSupplier missing = () -> requestedBytes - pool.availableBytes();
      try {
        return makeRoom(missing) > 0
            || missing.getAsLong() <= 0
            || waits.await(requestedBytes, () -> makeRoom(missing));
      } catch (EngineException e) {
        if (missing.getAsLong() <= 0) {
          return true; // somebody else has freed some
        }
        throw e;
      }
    }
  }

  private final SpillableBatch.Owner owner =
      new SpillableBatch.Owner() {
        @Override
        public void gone(SpillableBatch batch) {
          batches.remove(batch);
        }

        @Override
        public void idle(SpillableBatch batch) {
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
    if (!(0 <= lowMark && lowMark <= highMark && highMark <= 1)) {
      throw new IllegalArgumentException("marks " + lowMark + " and " + highMark);
    }
    this.pool = pool;
    this.stores = List.copyOf(stores);
    this.policy = policy;
    this.waits = new RoomWaits(pool);
    this.highMark = (long) (highMark * pool.limitInBytes());
    this.lowMark = (long) (lowMark * pool.limitInBytes());
    pool.onPressure(this.highMark, new Pressure());
    this.thread = new Thread(this::watch, "ariadne-spill-control-" + pool.tier());
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public SpillableBatch add(RecordBatch batch, SpillPlacement placement) {
    SpillableBatch added = new SpillableBatch(batch, pool.tier(), placement, owner);
    batches.add(added);
    wakeIfShort();
    return added;
  }

  /** Returns batches that are not gone, wherever they are. */
  public int batchCount() {
    return batches.size();
  }

  /** Returns bytes of memory that moves have freed so far. */
  public long movedBytes() {
    return movedBytes.get();
  }

  /** Returns batches moved so far. */
  public long movedBatches() {
    return movedBatches.get();
  }

  /** Returns nanoseconds spent moving so far. */
  public long movingNanos() {
    return movingNanos.get();
  }

  @Override
  public long makeRoom(LongSupplier missing) {
    long freed = 0;
    long portion;
    do {
      portion = movePortion(missing);
      freed += Math.max(0, portion);
    } while (portion >= 0);
    return freed;
  }

  @Override
  public long capacityInBytes() {
    return pool.limitInBytes();
  }

  @Override
  public boolean isScarce() {
    return pool.allocatedBytes() > lowMark;
  }

  /** Returns bytes freed, 0 also when the victims were taken meanwhile; negative at the end. */
  private long movePortion(LongSupplier missing) {
    awaitTurn();
    try {
      // Asked under the lock: somebody else may just have moved what was wanted.
      long bytes = Math.min(PORTION_BYTES, missing.getAsLong());
      List<SpillableBatch> victims = bytes <= 0 ? List.of() : policy.chooseVictims(batches, bytes);
      if (victims.isEmpty()) {
        return -1;
      }
      long start = System.nanoTime();
      long freed = move(victims);
      movingNanos.addAndGet(System.nanoTime() - start);
      movedBytes.addAndGet(freed);
      return freed;
    } finally {
      moving.unlock();
    }
  }

  private void awaitTurn() {
    if (!moving.isLocked()) {
      moving.lock();
      return;
    }
    String what = "the turn to free memory of pool " + pool.name();
    Wait wait = ThreadRecord.current().await(WaitKind.MOVE, what, 0, null);
    try {
      moving.lock();
    } finally {
      wait.close();
    }
  }

  private long move(List<SpillableBatch> victims) {
    // Nothing can fail between the beginning of a move and its place in the list: there is room.
    List<SpillableBatch> begun = new ArrayList<>(victims.size());
    List<RecordBatch> contents = new ArrayList<>(victims.size());
    List<Long> sizes = new ArrayList<>(victims.size());
    List<SpillStore.Block> blocks = new ArrayList<>();
    long start = System.nanoTime();
    SpillStore store;
    try {
      for (SpillableBatch victim : victims) {
        sizes.add(victim.freeableBytes());
        RecordBatch content = victim.beginMove();
        if (content == null) {
          sizes.remove(sizes.size() - 1);
        } else {
          begun.add(victim);
          contents.add(content);
        }
      }
      if (begun.isEmpty()) {
        return 0;
      }
      store = write(contents, blocks);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      begun.forEach(batch -> closer.close(batch::abortMove));
      closer.suppressIn(e);
      throw e;
    }
    long freed = sizes.stream().mapToLong(Long::longValue).sum();
    Closer closer = new Closer();
    for (int i = 0; i < begun.size(); i++) {
      SpillableBatch batch = begun.get(i);
      SpillStore.Block block = blocks.get(i);
      closer.close(() -> batch.endMove(store, block));
    }
    closer.rethrow();
    movedBatches.addAndGet(begun.size());
    long nanos =
        ThreadRecord.current().ended(EventKind.SPILL, start, freed, pool.tier(), store.tier());
    for (int i = 0; i < begun.size(); i++) {
      double share = freed == 0 ? 0 : (double) sizes.get(i) / freed;
      begun.get(i).tellSpilled(sizes.get(i), (long) (nanos * share));
    }
    return freed;
  }

  /** Writes to the first store that has room. */
  private SpillStore write(List<RecordBatch> contents, List<SpillStore.Block> blocks) {
    EngineException full = null;
    for (SpillStore store : stores) {
      try {
        blocks.addAll(store.write(contents));
        return store;
      } catch (EngineException e) {
        if (e.code() != ErrorCode.OUT_OF_MEMORY) {
          throw e;
        }
        if (full != null) {
          e.addSuppressed(full);
        }
        full = e;
      }
    }
    throw full == null
        ? new EngineException(ErrorCode.OUT_OF_MEMORY, "there is no tier below " + pool.state())
        : full;
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
    while (true) {
      long refused = awaitPressure();
      if (refused < 0) {
        return;
      }
      try {
        relieve(refused);
        hasWarned = false;
      } catch (RuntimeException | Error e) {
        // The thread goes on: whoever lacks memory is refused with a reason of his own.
        warn(e);
        rest();
      }
      isShort = pool.shortfall() > 0 || pool.allocatedBytes() > highMark;
    }
  }

  /** Says once what is wrong: attempts go on until it is not. */
  private void warn(Throwable failure) {
    if (!hasWarned) {
      LOG.warn("memory runs short and cannot be freed", failure);
    }
    hasWarned = true;
  }

  /** Makes room for who waits, for an allocation like the one refused, and down to the low mark. */
  private void relieve(long refused) {
    boolean scarce = pool.allocatedBytes() > highMark;
    long free = pool.limitInBytes() - pool.allocatedBytes();
    long target = movedBytes.get() + refused - free;
    makeRoom(
        () -> {
          long aboveMark = scarce ? pool.allocatedBytes() - lowMark : 0;
          long forRefused = refused == 0 ? 0 : target - movedBytes.get();
          return Math.max(pool.shortfall(), Math.max(aboveMark, forRefused));
        });
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

  private void rest() {
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(REST_MILLIS);
      while (!closed && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      LOG.warn("{} is interrupted by somebody", thread.getName());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends the thread; waits for the portion it moves.
   *
   * @throws IllegalStateException when batches are not gone
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
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!batches.isEmpty()) {
      throw new IllegalStateException(batches.size() + " batches are at rest at the end");
    }
  }
}
