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
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Moves batches at rest out of one memory space to the stores below, on the threads of its callers.
 * Victims are chosen once for what is missing and go in small portions, each written together;
 * before each it is asked again what is missing. Thread-safe; one portion moves at a time.
 */
final class BatchMover {
  /** Bytes that are moved before it is asked again what is missing, unless a batch is larger. */
  private static final long PORTION_BYTES = 8L << 20;

  /** How many of a portion are refused before nothing more of it is tried. */
  private static final int MOST_REFUSALS = 3;

  /** Bytes for which victims are chosen at once. */
  private static final long CHOICE_BYTES = 256L << 20;

  /** How long one portion may take before nobody waits for it any more. */
  private static final Duration LONGEST_TURN = Duration.ofSeconds(30);

  private final MemoryPool pool;
  private final List<SpillStore> stores;
  private final EvictionPolicy policy;

  /** Batches in memory that may be idle; those that come back are added when they are idle. */
  private final Set<SpillableBatch> candidates = ConcurrentHashMap.newKeySet();

  private final SpillLock lock;
  private final AtomicLong movedBytes = new AtomicLong();
  private final AtomicLong movedBatches = new AtomicLong();
  private final AtomicLong movingNanos = new AtomicLong();

  /** A batch on its way. */
  private static final class Move {
    final SpillableBatch batch;
    final long bytes;
    RecordBatch content;

    Move(SpillableBatch batch) {
      this.batch = batch;
      this.bytes = batch.freeableBytes();
    }
  }

  BatchMover(MemoryPool pool, List<SpillStore> stores, EvictionPolicy policy) {
    this.lock = new SpillLock("free memory of pool " + pool.name(), LONGEST_TURN);
    this.pool = pool;
    this.stores = List.copyOf(stores);
    this.policy = policy;
  }

  /** Notes that a batch is idle, perhaps in memory. */
  void add(SpillableBatch batch) {
    candidates.add(batch);
    if (batch.state() == SpillableBatch.State.GONE) {
      candidates.remove(batch);
    }
  }

  /** Forgets a batch that is gone. */
  void remove(SpillableBatch batch) {
    candidates.remove(batch);
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
   * Moves batches as {@link SpillSpace#makeRoom} does; idle memory of the pool goes first.
   *
   * @param takesNear whether batches go that are needed soon
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
      // Asked under the lock: somebody else may just have moved what was wanted.
      long bytes = Math.min(CHOICE_BYTES, missing.getAsLong());
      return bytes <= 0 ? List.of() : policy.chooseVictims(candidates(takesNear), bytes);
    } finally {
      lock.release();
    }
  }

  private Collection<SpillableBatch> candidates(boolean takesNear) {
    return takesNear
        ? candidates
        : candidates.stream().filter(batch -> !batch.placement().isNear()).toList();
  }

  private static int endOfPortion(List<SpillableBatch> victims, int from) {
    long bytes = 0;
    int to = from;
    while (to < victims.size() && bytes < PORTION_BYTES) {
      bytes += victims.get(to++).freeableBytes();
    }
    return to;
  }

  /** Returns bytes freed: 0 also when the victims were taken meanwhile. */
  private long movePortion(List<SpillableBatch> victims, LongSupplier missing) {
    lock.acquire();
    // All others who want memory wait for the turn's end.
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

  /** Moves victims together, or those that a store takes when it does not take all. */
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
    try {
      for (int i = 0; i < victims.size() && bytes < missing; i++) {
        Move move = new Move(victims.get(i));
        move.content = move.batch.beginMove();
        if (move.content != null) {
          // Cannot fail: there is room for all.
          begun.add(move);
          bytes += move.bytes;
        }
      }
      if (begun.isEmpty()) {
        return 0;
      }
      store = write(begun, blocks);
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      begun.forEach(move -> closer.close(move.batch::abortMove));
      closer.suppressIn(e);
      throw e;
    }
    Closer closer = new Closer();
    for (int i = 0; i < begun.size(); i++) {
      SpillableBatch batch = begun.get(i).batch;
      SpillStore.Block block = blocks.get(i);
      // Before the end: from then on it may come back at any time.
      candidates.remove(batch);
      closer.close(() -> batch.endMove(store, block));
    }
    closer.rethrow();
    movedBatches.addAndGet(begun.size());
    tell(begun, blocks, bytes, start, store);
    return bytes;
  }

  private void tell(
      List<Move> moved, List<SpillStore.Block> blocks, long bytes, long start, SpillStore store) {
    long nanos =
        ThreadRecord.current().ended(EventKind.SPILL, start, bytes, pool.tier(), store.tier());
    for (int i = 0; i < moved.size(); i++) {
      Move move = moved.get(i);
      double share = bytes == 0 ? 0 : (double) move.bytes / bytes;
      long diskBytes = store.tier() == MemoryTier.DISK ? blocks.get(i).storedBytes() : 0;
      move.batch.tellSpilled(move.bytes, diskBytes, (long) (nanos * share));
    }
  }

  /** Writes to the first store that has room, for whatever reason the thread moves batches. */
  private SpillStore write(List<Move> moves, List<SpillStore.Block> blocks) {
    // What is kept for putting memory away is for those who make batches, not for copies of them.
    boolean before = ThreadUse.current().putAway(false);
    // The batches are of any work, and count for none when they have left.
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
