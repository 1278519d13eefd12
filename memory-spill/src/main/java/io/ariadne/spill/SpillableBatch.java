package io.ariadne.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.event.EventKind;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.event.WorkOwner;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * A batch at rest between two pipelines, in whichever tier it is.
 *
 * <p>Owned by the holder it lies in; made by a {@link SpillController}, which may move it while
 * nobody reads it. Its rows, their order and every bit of their values are the same after any
 * number of moves. Thread-safe: the consumer takes or reads it while others may try to move it;
 * whoever comes second waits for the move to end or finds the batch gone.
 *
 * <pre>
 *            read / unread            beginMove            endMove, abortMove
 *   READING &lt;-------------&gt; IDLE ------------------&gt; MOVING ------------------&gt; IDLE
 *                            |  (in memory or in a store)
 *                            +--- take, close ---&gt; GONE          (close while READING, MOVING:
 *                                                                 GONE when that has ended)
 * </pre>
 */
public final class SpillableBatch implements AutoCloseable {
  /** What may be done with a batch now. */
  public enum State {
    /** At rest: may be moved, read or taken. */
    IDLE,
    /** Being read by somebody, in memory: may be read by others too. */
    READING,
    /** On its way to another tier or back: everybody else waits. */
    MOVING,
    /** Given to its consumer or closed: nothing is left to free. */
    GONE
  }

  /** Whether a batch's bytes are in memory. */
  public enum Presence {
    /** In memory, and may be moved away. */
    MOVABLE,
    /** In memory and read by somebody, who keeps it there. */
    IN_USE,
    /** On its way, in another tier or gone. */
    AWAY
  }

  /** Follows where a batch is, such as for sums over many. */
  public interface Watcher {
    /**
     * Tells of a change, called once for each, in their order; what is never told of is away.
     * Called by any thread under the batch's lock: returns at once and calls nothing of the batch.
     */
    void became(Presence presence);
  }

  /** Is told what becomes of a batch, by any thread without locks. */
  interface Owner {
    /** The batch has nothing left to free; called once. */
    void gone(SpillableBatch batch);

    /** The batch may be moved again. */
    void idle(SpillableBatch batch);
  }

  private final SpillPlacement placement;
  private final MemoryTier memoryTier;
  private final int rowCount;
  private final Owner owner;
  private final Watcher watcher;

  /** Whom the thread worked for that put the batch at rest, for which node; may be null. */
  private final WorkOwner work;

  private final int node;

  @GuardedBy("this")
  private int readers;

  @GuardedBy("this")
  private boolean closeRequested;

  /** Changed by {@link #become} alone, as what follows from them and is told to the watcher. */
  @GuardedBy("this")
  private State state;

  /** The batch while it is in memory, else null. */
  @GuardedBy("this")
  private RecordBatch batch;

  @GuardedBy("this")
  private Presence presence = Presence.AWAY;

  /** Where the batch is while it is not in memory, else null. */
  @GuardedBy("this")
  private SpillStore store;

  @GuardedBy("this")
  private SpillStore.Block block;

  /**
   * Takes a batch over.
   *
   * @param owner is told what becomes of it
   * @param watcher follows where it is
   */
  SpillableBatch(
      RecordBatch batch,
      MemoryTier memoryTier,
      SpillPlacement placement,
      Owner owner,
      Watcher watcher) {
    this.memoryTier = memoryTier;
    this.rowCount = batch.rowCount();
    this.placement = placement;
    this.owner = owner;
    this.watcher = watcher;
    ThreadRecord thread = ThreadRecord.current();
    this.work = thread.owner();
    this.node = thread.node();
    become(State.IDLE, batch);
  }

  /** Changes what may be done and what is in memory; the caller has the monitor. */
  @GuardedBy("this")
  private void become(State next, RecordBatch content) {
    state = next;
    batch = content;
    Presence now = Presence.AWAY;
    if (content != null && next != State.MOVING) {
      now = next == State.IDLE ? Presence.MOVABLE : Presence.IN_USE;
    }
    if (now != presence) {
      presence = now;
      watcher.became(now);
    }
  }

  /** Returns what may be done now; a snapshot. */
  public synchronized State state() {
    return state;
  }

  /** Returns where the bytes are; during a move, where they were before it or go to. */
  public synchronized MemoryTier tier() {
    return store == null ? memoryTier : store.tier();
  }

  /** Returns the number of rows. */
  public int rowCount() {
    return rowCount;
  }

  /** Returns where it lies in the work of the process. */
  public SpillPlacement placement() {
    return placement;
  }

  /** Returns where it comes from. */
  SpillOrigin origin() {
    return new SpillOrigin(placement, work, node);
  }

  /**
   * Returns bytes of memory that moving the batch away would free; 0 unless it is idle and in
   * memory. String heaps and dictionaries that others hold as well count for nothing.
   */
  public synchronized long freeableBytes() {
    if (state != State.IDLE || batch == null) {
      return 0;
    }
    Map<Object, Integer> holds = new IdentityHashMap<>();
    batch.visitShared((shared, bytes) -> holds.merge(shared, 1, Integer::sum));
    long[] sum = {batch.ownSizeInBytes()};
    batch.visitShared(
        (shared, bytes) -> {
          Integer own = holds.remove(shared);
          if (own != null && own == ReferenceCounts.of(shared)) {
            sum[0] += bytes;
          }
        });
    return sum[0];
  }

  /** Returns whether the batch may be moved out of memory; a snapshot. */
  synchronized boolean isIdleInMemory() {
    return state == State.IDLE && batch != null;
  }

  /** Returns bytes that reading the batch back takes; 0 while it is in memory. */
  public synchronized long bytesToReadBack() {
    return block == null ? 0 : block.memoryBytes();
  }

  /**
   * Returns whether the batch can be had at once; not while it is on its way, since nobody knows
   * where it will be then. A snapshot.
   */
  public synchronized boolean isInMemory() {
    return state != State.MOVING && batch != null;
  }

  /**
   * Hands the batch to its consumer, read back if need be. Blocks while bytes are read.
   *
   * @param allocator where the buffers come from when it must be read back; HOST or PINNED
   * @return the batch, owned by the caller; this is gone
   * @throws IllegalStateException when it is gone or being read
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when the allocator refuses: the batch
   *     stays where it was; CORRUPT_DATA when the store's bytes are damaged
   */
  public RecordBatch take(BufferAllocator allocator) {
    RecordBatch taken = beginTake();
    if (taken == null) {
      taken = readBack(allocator);
      synchronized (this) {
        store = null;
        block = null;
        become(State.GONE, null);
        notifyAll();
      }
    }
    owner.gone(this);
    return taken;
  }

  /**
   * Hands the batch to its consumer if that needs no waiting.
   *
   * @return the batch, owned by the caller, and this is gone; null when it is not in memory or on
   *     its way
   * @throws IllegalStateException when it is gone or being read
   */
  public RecordBatch takeIfInMemory() {
    RecordBatch taken;
    synchronized (this) {
      if (state == State.MOVING || (state == State.IDLE && batch == null)) {
        return null;
      }
      taken = beginTake();
    }
    owner.gone(this);
    return taken;
  }

  /**
   * Returns the batch if it is in memory, gone then; else it is on its way and null is returned.
   */
  private synchronized RecordBatch beginTake() {
    awaitMove();
    if (state != State.IDLE) {
      throw new IllegalStateException("a batch is taken while it is " + state);
    }
    RecordBatch taken = batch;
    become(taken == null ? State.MOVING : State.GONE, null);
    return taken;
  }

  /**
   * Opens the batch for reading, read back if need be; it stays in memory until the last reader has
   * {@link #unread ended}. Blocks while bytes are read.
   *
   * @param allocator as for {@link #take}
   * @return the batch, owned by this
   * @throws IllegalStateException when it is gone
   * @throws io.ariadne.error.EngineException as {@link #take}
   */
  public RecordBatch read(BufferAllocator allocator) {
    RecordBatch opened = beginRead();
    if (opened == null) {
      opened = readBack(allocator);
      synchronized (this) {
        store = null;
        block = null;
        become(State.READING, opened);
        readers = 1;
        notifyAll();
      }
    }
    return opened;
  }

  /** Returns the batch, with one reader more, if it is in memory; else it is on its way: null. */
  private synchronized RecordBatch beginRead() {
    awaitMove();
    if (state == State.GONE || closeRequested) {
      throw new IllegalStateException("a batch is read that is gone");
    }
    if (batch == null) {
      become(State.MOVING, null);
      return null;
    }
    become(State.READING, batch);
    readers++;
    return batch;
  }

  /** Ends one {@link #read}. */
  public void unread() {
    synchronized (this) {
      if (readers == 0) {
        throw new IllegalStateException("a batch has more ends of reading than beginnings");
      }
      readers--;
      if (readers > 0) {
        return;
      }
      become(State.IDLE, batch);
    }
    if (!closeIfRequested()) {
      owner.idle(this);
    }
  }

  /** Reads the batch back, whose state is MOVING; when this fails, it stays in its store. */
  private RecordBatch readBack(BufferAllocator allocator) {
    SpillStore from;
    SpillStore.Block stored;
    synchronized (this) {
      from = store;
      stored = block;
    }
    RecordBatch back = null;
    long start = System.nanoTime();
    try {
      back = readSecured(from, stored, allocator);
      from.delete(stored);
      tellReadBack(from, stored, start);
      return back;
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      closer.close(back);
      closer.close(this::abortMove);
      closer.suppressIn(e);
      throw e;
    }
  }

  /**
   * Reserves the memory before reading: a read that had to evict other batches could wait for what
   * it holds itself.
   */
  private static RecordBatch readSecured(
      SpillStore from, SpillStore.Block stored, BufferAllocator allocator) {
    if (allocator instanceof MemoryPool pool) {
      try (Reservation memory = pool.secure("batch read back", stored.memoryBytes())) {
        return from.read(stored, memory);
      }
    }
    return from.read(stored, allocator);
  }

  private void tellReadBack(SpillStore from, SpillStore.Block stored, long start) {
    long bytes = stored.memoryBytes();
    long nanos =
        ThreadRecord.current().ended(EventKind.READ_BACK, start, bytes, from.tier(), memoryTier);
    if (work != null) {
      work.readBack(node, bytes, nanos);
    }
  }

  /** Waits until the batch is not on its way; the caller has the monitor. */
  @GuardedBy("this")
  private void awaitMove() {
    if (state != State.MOVING) {
      return;
    }
    boolean interrupted = false;
    String what = "the end of the move of a batch of " + rowCount + " rows from " + tier();
    Wait wait = ThreadRecord.current().await(WaitKind.MOVE, what, 0, null);
    try {
      while (state == State.MOVING) {
        try {
          wait();
        } catch (InterruptedException e) {
          // A move takes as long as a write: who is to stop notices soon.
          interrupted = true;
        }
      }
    } finally {
      wait.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Begins a move out of memory; returns the batch, still owned by this, or null if not idle. */
  synchronized RecordBatch beginMove() {
    if (state != State.IDLE || batch == null) {
      return null;
    }
    become(State.MOVING, batch);
    return batch;
  }

  /** Tells for whom the batch is at rest what a move has freed and taken. */
  void tellSpilled(long bytes, long diskBytes, long nanos) {
    if (work != null) {
      work.spilled(node, bytes, diskBytes, nanos);
    }
  }

  /**
   * Ends a move: the batch is in a store now. Its memory is free before those who wait for the end
   * go on: who closes a batch that moves may rely on that.
   */
  void endMove(SpillStore target, SpillStore.Block stored) {
    RecordBatch left;
    synchronized (this) {
      left = batch;
      become(State.MOVING, null);
      store = target;
      block = stored;
    }
    Closer closer = new Closer();
    closer.close(left);
    closer.close(this::becomeIdle);
    closer.rethrow();
  }

  /** Ends a move that has failed: the batch is where it was. */
  void abortMove() {
    becomeIdle();
  }

  /** Wakes who waits for a move; among them is whoever has asked meanwhile to close the batch. */
  private synchronized void becomeIdle() {
    become(State.IDLE, batch);
    notifyAll();
  }

  private boolean closeIfRequested() {
    boolean requested;
    synchronized (this) {
      requested = closeRequested;
    }
    if (requested) {
      close();
    }
    return requested;
  }

  /**
   * Frees the batch wherever it is; waits while it moves. While it is read, it is freed when that
   * has ended, after the return. Idempotent.
   */
  @Override
  public void close() {
    RecordBatch left;
    SpillStore from;
    SpillStore.Block stored;
    synchronized (this) {
      closeRequested = true;
      awaitMove();
      if (state != State.IDLE) {
        return;
      }
      left = batch;
      from = store;
      stored = block;
      become(State.GONE, null);
    }
    Closer closer = new Closer();
    closer.close(left);
    if (from != null) {
      closer.close(() -> from.delete(stored));
    }
    closer.close(() -> owner.gone(this));
    closer.rethrow();
  }
}
