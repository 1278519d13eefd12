package io.ariadne.spill;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import io.ariadne.memory.Reservation;
import io.ariadne.spill.PresenceWatcher.Presence;

/**
 * A batch that waits for its consumer and may be moved to another memory tier meanwhile.
 *
 * <p>{@link SpillSpace#add} creates it; the caller owns it. A {@link SpillController} may move it
 * while no thread reads it. Its rows, their order and every bit of their values are the same after
 * any number of moves. Thread-safe: the consumer may take or read the batch while another thread
 * moves it. The later of the two threads waits for the end of the move or finds the batch gone.
 *
 * <pre>
 *            read / unread         beginMove, readAhead,        endMove, abortMove,
 *                                  giveBack                     end of the read or of giveBack
 *   READING &lt;-------------&gt; IDLE ------------------&gt; MOVING ------------------&gt; IDLE
 *                            |  (in memory, in a store, or both)
 *                            +--- take, close ---&gt; GONE          (close while READING, MOVING:
 *                                                                 GONE when that has ended)
 * </pre>
 *
 * <p>Its owner may ask for the batch to be {@link #prefetch prefetched}. A prefetched batch is in
 * memory and in its store until it is used, so that its memory can be given back without a write. A
 * batch that {@link SpillPlacement#isReadAgain is read again} stays on disk as well when it is
 * read: several readers, with moves between them, cost one write.
 */
public final class SpillableBatch implements AutoCloseable {
  /** What may be done with a batch now. */
  public enum State {
    /** May be moved, read or taken. */
    IDLE,
    /** Read by at least one thread, in memory: other threads may read it, too. */
    READING,
    /** Moving to another tier or back: other threads wait for the end of the move. */
    MOVING,
    /** Taken by its consumer or closed: nothing is left to free. */
    GONE
  }

  /** Placement, and the work of the thread that created the spillable batch. */
  private final SpillOrigin origin;

  private final MemoryTier memoryTier;
  private final int rowCount;
  private final BatchOwner owner;
  private final PresenceWatcher watcher;

  @GuardedBy("this")
  private int readers;

  @GuardedBy("this")
  private boolean closeRequested;

  /** Whether {@link #prefetch} was called since the last use. */
  @GuardedBy("this")
  private boolean isWanted;

  /** Changed only by {@link #become}, which tells the watcher. */
  @GuardedBy("this")
  private State state;

  /** The batch while it is in memory, else null. */
  @GuardedBy("this")
  private RecordBatch batch;

  @GuardedBy("this")
  private Presence presence = Presence.AWAY;

  /** Where the batch is in a store; null when it is in memory only. */
  @GuardedBy("this")
  private StoredBatch stored;

  /** Whether the batch was read ahead, is in memory and in its store, and was not used yet. */
  @GuardedBy("this")
  private boolean isUnused;

  /**
   * Takes ownership of a batch.
   *
   * @param owner is told when the batch is idle or gone
   * @param watcher is told whether the batch is in memory
   */
  SpillableBatch(
      RecordBatch batch,
      MemoryTier memoryTier,
      SpillPlacement placement,
      BatchOwner owner,
      PresenceWatcher watcher) {
    this.memoryTier = memoryTier;
    this.rowCount = batch.rowCount();
    this.owner = owner;
    this.watcher = watcher;
    ThreadRecord thread = ThreadRecord.current();
    this.origin = SpillOrigin.of(placement, thread.owner(), thread.node());
    become(State.IDLE, batch);
  }

  /** Changes the state and the batch in memory. */
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

  /** Returns the state; a snapshot. */
  public synchronized State state() {
    return state;
  }

  /** Returns where the bytes are; during a move, the tier before or after the move. */
  public synchronized MemoryTier tier() {
    return stored == null || batch != null ? memoryTier : stored.tier();
  }

  /** Returns the number of rows. */
  public int rowCount() {
    return rowCount;
  }

  /** Returns how soon the batch is needed. */
  public SpillPlacement placement() {
    return origin.placement();
  }

  /** Returns placement and work of the batch. */
  SpillOrigin origin() {
    return origin;
  }

  /**
   * Returns bytes of memory that moving the batch away would free; 0 unless it is idle in memory,
   * and not only read ahead. String heaps and dictionaries that other batches reference as well do
   * not count.
   */
  public synchronized long freeableBytes() {
    return isIdleInMemory() ? ReferenceCounts.bytesOfOnly(batch) : 0;
  }

  /** Returns whether the batch may be moved out of memory to a store; a snapshot. */
  synchronized boolean isIdleInMemory() {
    return state == State.IDLE && batch != null && !isUnused;
  }

  /** Returns bytes that reading the batch back takes; 0 while it is in memory. */
  public synchronized long bytesToReadBack() {
    boolean isAway = stored != null && batch == null && state != State.GONE;
    return isAway ? stored.memoryBytes() : 0;
  }

  /** Returns the bytes that threads have read back since the last call: readers share a read. */
  public long takeReadBackBytes() {
    return origin.readBackBytes().getAndSet(0);
  }

  /**
   * Returns whether the batch can be used without a read from a store; false while it moves, since
   * the move may succeed or fail. A snapshot.
   */
  public synchronized boolean isInMemory() {
    return state != State.MOVING && batch != null;
  }

  /**
   * Hands the batch to its consumer, read back if it is in a store. Blocks while bytes are read.
   *
   * @param allocator where the buffers come from when the batch is read back, of the tier that it
   *     was added in
   * @return the batch, owned by the caller; this object is gone
   * @throws IllegalStateException when the batch is gone or being read
   * @throws io.ariadne.error.EngineException OUT_OF_MEMORY when the allocator refuses: the batch
   *     stays where it was; CORRUPT_DATA when the store's bytes are damaged
   */
  public RecordBatch take(BufferAllocator allocator) {
    RecordBatch taken = beginTake();
    if (taken == null) {
      taken = readBack(allocator, false);
      synchronized (this) {
        stored = null;
        become(State.GONE, null);
        notifyAll();
      }
    }
    Closer closer = new Closer();
    closer.close(() -> deleteStored(false));
    closer.close(() -> owner.gone(this));
    closer.rethrowWithout(taken);
    return taken;
  }

  /**
   * Takes the batch if it is in memory and no thread moves it. Waits for no move, store or disk, so
   * that the caller may hold locks: bytes of a prefetched batch stay in the store until this object
   * is closed.
   *
   * @return the batch, owned by the caller, and this object is then GONE, to be closed; null when
   *     the batch is being moved or is not in memory
   * @throws IllegalStateException when the batch is gone or being read
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
   * Deletes the bytes in the store of a batch in memory.
   *
   * @param mayKeep whether they stay if that saves a write
   */
  private void deleteStored(boolean mayKeep) {
    StoredBatch unneeded = null;
    synchronized (this) {
      if (stored != null && !(mayKeep && stored.stays(placement()))) {
        unneeded = stored;
        stored = null;
      }
    }
    if (unneeded != null) {
      unneeded.delete();
    }
  }

  /** Returns the batch if it is in memory, GONE then; otherwise null, and the batch is MOVING. */
  private synchronized RecordBatch beginTake() {
    awaitMove();
    if (state != State.IDLE) {
      throw new IllegalStateException("a batch is taken while it is " + state);
    }
    RecordBatch taken = batch;
    isUnused = false;
    become(taken == null ? State.MOVING : State.GONE, null);
    return taken;
  }

  /**
   * Opens the batch for reading, read back if it is in a store. It stays in memory until the last
   * reader has called {@link #unread}. Blocks while bytes are read.
   *
   * @param allocator as for {@link #take}
   * @return the batch, still owned by this object
   * @throws IllegalStateException when the batch is gone
   * @throws io.ariadne.error.EngineException as {@link #take}
   */
  public RecordBatch read(BufferAllocator allocator) {
    RecordBatch opened = beginRead();
    if (opened == null) {
      opened = readBack(allocator, true);
      synchronized (this) {
        stored = stored.stays(placement()) ? stored : null;
        become(State.READING, opened);
        readers = 1;
        notifyAll();
      }
    }
    Closer closer = new Closer();
    closer.close(() -> deleteStored(true));
    if (endWanted()) {
      closer.close(() -> owner.used(this));
    }
    closer.rethrowWithout(this::unread);
    return opened;
  }

  private synchronized boolean endWanted() {
    boolean was = isWanted;
    isWanted = false;
    return was;
  }

  /** Adds a reader and returns the batch if it is in memory; otherwise null, MOVING then. */
  private synchronized RecordBatch beginRead() {
    awaitMove();
    if (state == State.GONE || closeRequested) {
      throw new IllegalStateException("a batch is read after it was taken or closed");
    }
    if (batch == null) {
      become(State.MOVING, null);
      return null;
    }
    isUnused = false;
    become(State.READING, batch);
    readers++;
    return batch;
  }

  /** Ends one {@link #read}. */
  public void unread() {
    synchronized (this) {
      if (readers == 0) {
        throw new IllegalStateException("unread is called more often than read");
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

  /**
   * Reads the batch back, whose state is MOVING; when this fails, it stays in its store.
   *
   * @param mayKeep whether it may stay there as well when this succeeds
   */
  private RecordBatch readBack(BufferAllocator allocator, boolean mayKeep) {
    StoredBatch from;
    synchronized (this) {
      from = stored;
    }
    RecordBatch back = null;
    try {
      back = from.readBack(allocator, memoryTier, origin);
      if (!(mayKeep && from.stays(placement()))) {
        from.delete();
      }
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
   * Asks for the batch to be read back ahead of its use. Batches are read back in the order of
   * these calls, by other threads, while plenty of memory is free. Under pressure a batch that was
   * read back so and is not used yet is given back first, the one that was asked for last before
   * the others, and is read again later. A failed read changes nothing: the user of the batch reads
   * it itself. The request ends when the batch is read, taken or closed. Waits for no memory, move
   * or store.
   */
  public void prefetch() {
    prefetch(null);
  }

  /**
   * As {@link #prefetch()}.
   *
   * @param whenInMemory is run each time the batch was read back ahead or turns out to be in memory
   *     already, perhaps by this call; any thread runs it, which may hold locks of this memory
   *     space, so it returns at once; may be null
   */
  public void prefetch(Runnable whenInMemory) {
    synchronized (this) {
      if (state == State.GONE || closeRequested) {
        return;
      }
      isWanted = true;
    }
    owner.wanted(this, whenInMemory);
  }

  /** Returns whether the batch should be read back ahead of its use; a snapshot. */
  synchronized boolean isWanted() {
    return isWanted && state != State.GONE && !closeRequested;
  }

  /**
   * Returns whether the batch can be read back without a wait for another tier; otherwise asks for
   * it to be brought nearer. False also when the batch is not idle in a store.
   *
   * @param whenNear as of {@link SpillStore#bringNearer}
   */
  boolean isNear(Runnable whenNear) {
    StoredBatch from;
    synchronized (this) {
      if (state != State.IDLE || batch != null) {
        return false;
      }
      from = stored;
    }
    return from.isNear(whenNear);
  }

  /**
   * Reads the batch back and leaves it in its store. When this throws, nothing has changed.
   *
   * @param memory bytes for the batch
   * @return whether the batch was read: it was idle in its store
   */
  boolean readAhead(Reservation memory) {
    StoredBatch from;
    synchronized (this) {
      if (state != State.IDLE || batch != null) {
        return false;
      }
      become(State.MOVING, null);
      from = stored;
    }
    try {
      RecordBatch back = from.readBack(memory, memoryTier, origin);
      synchronized (this) {
        isUnused = true;
        become(State.IDLE, back);
        notifyAll();
      }
      return true;
    } catch (RuntimeException | Error e) {
      becomeIdle();
      throw e;
    }
  }

  /**
   * Frees the memory of the batch if it is prefetched and not used yet; it stays in its store.
   *
   * @return bytes freed, which is 0 if other batches share all of them; -1 if nothing was given
   *     back
   */
  long giveBack() {
    RecordBatch left;
    long bytes;
    synchronized (this) {
      if (state != State.IDLE || !isUnused) {
        return -1;
      }
      isUnused = false;
      left = batch;
      bytes = ReferenceCounts.bytesOfOnly(batch);
      become(State.MOVING, null);
    }
    Closer closer = new Closer();
    closer.close(left);
    closer.close(this::becomeIdle);
    closer.rethrow();
    return bytes;
  }

  /** Waits until the batch does not move. */
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
          // A move takes as long as a write: the thread handles the interrupt soon after.
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

  /**
   * Begins a move out of memory.
   *
   * @return the batch, still owned by this object; null when it is not idle in memory, or only read
   *     ahead
   */
  synchronized RecordBatch beginMove() {
    if (!isIdleInMemory()) {
      return null;
    }
    become(State.MOVING, batch);
    return batch;
  }

  /** Returns whether the batch is in a store as well, so that a move need not write it. */
  synchronized boolean hasCopy() {
    return batch != null && stored != null;
  }

  /**
   * Deletes the copy of a batch in memory, which its next move writes again. That of a batch that
   * moves, or that was only read ahead, stays.
   *
   * @return whether one was deleted
   */
  boolean deleteCopy() {
    StoredBatch unneeded;
    synchronized (this) {
      if (state == State.MOVING || isUnused || !hasCopy()) {
        return false;
      }
      unneeded = stored;
      stored = null;
    }
    unneeded.delete();
    return true;
  }

  /** Reports to the batch's work what a move has freed and taken. */
  void tellSpilled(long bytes, long diskBytes, long nanos) {
    if (origin.work() != null) {
      origin.work().spilled(origin.node(), bytes, diskBytes, nanos);
    }
  }

  /**
   * Ends a move: the batch is in a store now. Its memory is free before threads that wait for the
   * end continue: a thread that closes a moving batch relies on that.
   *
   * @param written where the move has written the batch; null when it was in a store before
   */
  void endMove(StoredBatch written) {
    RecordBatch left;
    synchronized (this) {
      left = batch;
      become(State.MOVING, null);
      stored = written == null ? stored : written;
    }
    Closer closer = new Closer();
    closer.close(left);
    closer.close(this::becomeIdle);
    if (isWanted()) {
      closer.close(() -> owner.wanted(this, null));
    }
    closer.rethrow();
  }

  /** Ends a failed move: the batch stays where it was. */
  void abortMove() {
    becomeIdle();
    owner.stays(this);
  }

  /** Wakes threads that wait for a move; one of them may want to close the batch. */
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
   * Frees the batch in whichever tier it is; waits while it moves. A batch that is read is freed by
   * the last {@link #unread}, after this call returns. After {@link #takeIfInMemory} frees what is
   * left in the store. Idempotent.
   */
  @Override
  public void close() {
    RecordBatch left;
    boolean isTaken;
    synchronized (this) {
      closeRequested = true;
      awaitMove();
      if (state == State.READING) {
        return;
      }
      isTaken = state == State.GONE;
      left = batch;
      become(State.GONE, null);
    }
    Closer closer = new Closer();
    closer.close(left);
    closer.close(() -> deleteStored(false));
    closer.close(isTaken ? null : () -> owner.gone(this));
    closer.rethrow();
  }
}
