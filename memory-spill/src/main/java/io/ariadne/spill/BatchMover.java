package io.ariadne.spill;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.EventKind;
import io.ariadne.event.ThreadRecord;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.ThreadUse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Moves spillable batches out of one memory space to the stores below, on the threads of its
 * callers. The victims for all missing bytes are chosen at once and move in small portions, each of
 * which is written together; before each portion the mover asks again what is missing. Thread-safe;
 * one portion moves at a time.
 */
final class BatchMover {
  /** Bytes that are moved before the mover asks again what is missing; a batch may be larger. */
  private static final long PORTION_BYTES = 8L << 20;

  /** How many batches of a portion a store refuses before the mover gives the portion up. */
  private static final int MOST_REFUSALS = 3;

  /** Most bytes for which victims are chosen at once. */
  private static final long CHOICE_BYTES = 256L << 20;

  /** How long one portion may take before other threads stop waiting for it. */
  private static final Duration LONGEST_PORTION = Duration.ofSeconds(30);

  private final MemoryPool pool;
  private final List<SpillStore> stores;
  private final BooleanSupplier deleteCopies;

  /** Batches in memory that may be idle; a batch that is read back is added when it is idle. */
  private final EvictionQueue queue;

  private final SpillLock lock;
  private final AtomicLong movedBytes = new AtomicLong();
  private final AtomicLong movedBatches = new AtomicLong();
  private final AtomicLong movingNanos = new AtomicLong();

  /** A batch that moves. */
  private static final class Move {
    final SpillableBatch batch;
    final long bytes;
    RecordBatch content;

    /** Whether a store has the batch already. */
    boolean hasCopy;

    Move(SpillableBatch batch) {
      this.batch = batch;
      this.bytes = batch.freeableBytes();
    }
  }

  /**
   * Creates a mover.
   *
   * @param deleteCopies deletes copies in stores of batches that are in memory, when the stores are
   *     full; returns whether there were any
   */
  BatchMover(
      MemoryPool pool,
      List<SpillStore> stores,
      EvictionPolicy policy,
      BooleanSupplier deleteCopies) {
    this.deleteCopies = deleteCopies;
    this.lock = new SpillLock("free memory of pool " + pool.name(), LONGEST_PORTION);
    this.pool = pool;
    this.stores = List.copyOf(stores);
    this.queue = policy.newQueue();
  }

  /** Notes that a batch has become idle, perhaps in memory. */
  void add(SpillableBatch batch) {
    queue.add(batch);
  }

  /** Forgets a batch that is gone. */
  void remove(SpillableBatch batch) {
    queue.remove(batch);
  }

  long movedBytes() {
    return movedBytes.get();
  }

  long movedBatches() {
    return movedBatches.get();
  }

  long movingNanos() {
    return movingNanos.get();
  }

  /**
   * Moves batches as {@link SpillSpace#makeRoom} does. Memory that {@link MemoryPool#reclaim} frees
   * goes first.
   *
   * @param takesNear whether batches that are needed soon may go
   * @return bytes freed
   */
  long makeRoom(LongSupplier missing, boolean takesNear) {
    long freed = 0;
    boolean goesOn = true;
    while (goesOn) {
      long bytes = missing.getAsLong();
      freed += bytes <= 0 ? 0 : pool.reclaim(bytes);
      List<SpillableBatch> victims = choose(missing, takesNear);
      for (int from = 0, to; from < victims.size(); from = to) {
        to = endOfPortion(victims, from);
        freed += movePortion(victims.subList(from, to), missing);
      }
      goesOn = !victims.isEmpty();
    }
    return freed;
  }

  private List<SpillableBatch> choose(LongSupplier missing, boolean takesNear) {
    lock.acquire();
    try {
      // Asked under the lock: another thread may just have freed enough.
      long bytes = Math.min(CHOICE_BYTES, missing.getAsLong());
      return bytes <= 0 ? List.of() : queue.chooseVictims(bytes, takesNear);
    } finally {
      lock.release();
    }
  }

  private static int endOfPortion(List<SpillableBatch> victims, int from) {
    long bytes = 0;
    int to = from;
    while (to < victims.size() && bytes < PORTION_BYTES) {
      bytes += victims.get(to++).freeableBytes();
    }
    return to;
  }

  /** Returns bytes freed; 0 also when consumers have taken the victims meanwhile. */
  private long movePortion(List<SpillableBatch> victims, LongSupplier missing) {
    lock.acquire();
    // All other threads that lack memory wait until this portion has moved.
    boolean before = ThreadRecord.current().mayWait(false);
    try {
      long start = System.nanoTime();
      long freed = moveWhatFits(victims, missing);
      movingNanos.addAndGet(System.nanoTime() - start);
      movedBytes.addAndGet(freed);
      return freed;
    } finally {
      ThreadRecord.current().mayWait(before);
      lock.release();
    }
  }

  /** Moves victims together, or one by one when the stores do not take all of them. */
  private long moveWhatFits(List<SpillableBatch> victims, LongSupplier missing) {
    try {
      return move(victims, missing.getAsLong());
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || victims.size() == 1) {
        throw e;
      }
      return moveSome(victims, missing, e);
    }
  }

  private long moveSome(
      List<SpillableBatch> victims, LongSupplier missing, EngineException refusal) {
    long freed = 0;
    int refusals = 0;
    for (int i = 0; i < victims.size() && refusals < MOST_REFUSALS; i++) {
      try {
        freed += move(victims.subList(i, i + 1), missing.getAsLong());
      } catch (EngineException e) {
        if (e.code() != ErrorCode.OUT_OF_MEMORY) {
          throw e;
        }
        refusals++;
      }
    }
    if (freed == 0 && refusals > 0) {
      throw refusal;
    }
    return freed;
  }

  /** Moves victims until so many bytes are free. */
  private long move(List<SpillableBatch> victims, long missing) {
    List<Move> begun = new ArrayList<>(victims.size());
    List<SpillStore.Block> blocks = new ArrayList<>();
    long start = System.nanoTime();
    long bytes = 0;
    SpillStore store;
    List<Move> written;
    try {
      for (int i = 0; i < victims.size() && bytes < missing; i++) {
        Move move = new Move(victims.get(i));
        move.content = move.batch.beginMove();
        if (move.content != null) {
          move.hasCopy = move.batch.hasCopy();
          // Cannot fail: the list has the capacity.
          begun.add(move);
          bytes += move.bytes;
        }
      }
      written = begun.stream().filter(move -> !move.hasCopy).toList();
      store = written.isEmpty() ? null : write(written, blocks);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      begun.forEach(move -> closer.close(() -> abort(move.batch)));
      closer.suppressIn(e);
      throw e;
    }
    Iterator<SpillStore.Block> places = blocks.iterator();
    Closer closer = new Closer();
    for (Move move : begun) {
      // Before the end of the move: after that the batch may be read back at any time.
      queue.remove(move.batch);
      StoredBatch stored = move.hasCopy ? null : new StoredBatch(store, places.next());
      closer.close(() -> move.batch.endMove(stored));
      if (move.hasCopy) {
        move.batch.tellSpilled(move.bytes, 0, 0);
      }
    }
    closer.rethrow();
    movedBatches.addAndGet(begun.size());
    if (!written.isEmpty()) {
      tell(written, blocks, start, store);
    }
    return bytes;
  }

  /** Ends a move that has failed. The queue may have forgotten the batch while it moved. */
  private void abort(SpillableBatch batch) {
    batch.abortMove();
    queue.add(batch);
  }

  private void tell(List<Move> moved, List<SpillStore.Block> blocks, long start, SpillStore store) {
    long bytes = moved.stream().mapToLong(move -> move.bytes).sum();
    long nanos =
        ThreadRecord.current().ended(EventKind.SPILL, start, bytes, pool.tier(), store.tier());
    for (int i = 0; i < moved.size(); i++) {
      Move move = moved.get(i);
      double share = bytes == 0 ? 0 : (double) move.bytes / bytes;
      long diskBytes = store.tier() == MemoryTier.DISK ? blocks.get(i).storedBytes() : 0;
      move.batch.tellSpilled(move.bytes, diskBytes, (long) (nanos * share));
    }
  }

  /** Writes batches to the first store that takes them. */
  private SpillStore write(List<Move> moves, List<SpillStore.Block> blocks) {
    // The pool's reserve is for revoking operators that make batches, not for copies of batches.
    boolean before = ThreadUse.current().putAway(false);
    // The batches belong to any fragments; copies of them count for the process.
    boolean wasForProcess = ThreadUse.current().forProcess(true);
    try {
      return writeAnywhere(moves, blocks);
    } finally {
      ThreadUse.current().forProcess(wasForProcess);
      ThreadUse.current().putAway(before);
    }
  }

  private SpillStore writeAnywhere(List<Move> moves, List<SpillStore.Block> blocks) {
    List<RecordBatch> contents = moves.stream().map(move -> move.content).toList();
    List<SpillOrigin> origins = moves.stream().map(move -> move.batch.origin()).toList();
    try {
      return writeAnywhere(contents, origins, blocks);
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !deleteCopies.getAsBoolean()) {
        throw e;
      }
      return writeAnywhere(contents, origins, blocks);
    }
  }

  private SpillStore writeAnywhere(
      List<RecordBatch> contents, List<SpillOrigin> origins, List<SpillStore.Block> blocks) {
    EngineException full = null;
    for (SpillStore store : stores) {
      try {
        blocks.addAll(store.write(contents, origins));
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
}
