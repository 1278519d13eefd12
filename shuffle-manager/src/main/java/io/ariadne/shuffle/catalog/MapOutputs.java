package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.memory.MemoryPool;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillSpace;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The map outputs of one process. Thread-safe; owns them until their shuffle is dropped.
 *
 * <p>An output is known by its shuffle and the attempt of its map task, so that outputs of repeated
 * and of speculative attempts live side by side. It may be read many times, by repeated reduce
 * tasks and by several readers of a reused exchange.
 */
public final class MapOutputs implements AutoCloseable {
  /** Nobody works on what reads it, so it goes before all that the running tasks have at rest. */
  private static final SpillPlacement AT_REST = SpillPlacement.at(Integer.MAX_VALUE, false);

  /** Goes after other outputs, of which readers need not read back more than they want. */
  private static final SpillPlacement UNCUT = SpillPlacement.at(Integer.MAX_VALUE - 1, false);

  /** The part of memory that uncut batches may take. */
  private static final int UNCUT_SHARE = 4;

  private final MemoryPool parent;

  /** Of uncut batches, on disk or not. */
  private final AtomicLong uncutBytes = new AtomicLong();

  /** All batches that are not freed, of any output. */
  private final Set<KeptBatch> batches = ConcurrentHashMap.newKeySet();

  /** A child of the parent's; null until there is an output. */
  private MemoryPool pool;

  private final SpillSpace spill;
  private final Map<Integer, Map<Long, MapOutput>> shuffles = new HashMap<>();

  /** Numbers of shuffles that were dropped, which are never used again. */
  private final BitSet dropped = new BitSet();

  private boolean closed;

  /**
   * Creates an empty catalog.
   *
   * @param pool of host memory; what is put together or comes back from disk is charged to a child
   *     of it
   * @param spill where outputs rest
   */
  public MapOutputs(MemoryPool pool, SpillSpace spill) {
    this.parent = pool;
    this.spill = spill;
  }

  /**
   * How rows of an output are placed. Place 0 is that of the first partition's rows, place 1 that
   * of the next one's, and so on, round.
   *
   * @param partitions how many partitions the shuffle has
   * @param firstPartition the first partition, often 0
   */
  public record Places(int partitions, int firstPartition) {}

  /**
   * Begins an output. Nothing of it can be read before it is committed.
   *
   * @param shuffleId the shuffle
   * @param mapId the attempt of the map task, unique in the application
   * @param places which partition's rows come first
   * @param targetBytes bytes to gather before rows of one partition are put together
   * @return to be closed by the caller, also after the commit
   */
  public MapOutputWriter write(int shuffleId, long mapId, Places places, long targetBytes) {
    return new MapOutputWriter(this, shuffleId, mapId, places, targetBytes);
  }

  /**
   * Opens the rows of neighbouring partitions in an output, which stay until the reader is closed.
   *
   * @param firstPartition the first
   * @param endPartition behind the last
   * @return to be closed by the caller, or null when the output is not known
   * @throws IndexOutOfBoundsException when the output has no such partitions
   */
  public MapOutputReader open(int shuffleId, long mapId, int firstPartition, int endPartition) {
    MapOutput output;
    synchronized (this) {
      Map<Long, MapOutput> outputs = shuffles.get(shuffleId);
      output = outputs == null ? null : outputs.get(mapId);
      if (output == null) {
        return null;
      }
      output.lease();
    }
    try {
      return new MapOutputReader(output, pool(), firstPartition, endPartition);
    } catch (RuntimeException | Error e) {
      output.endLease();
      throw e;
    }
  }

  /** Returns whether an output is known; a snapshot. */
  public synchronized boolean has(int shuffleId, long mapId) {
    return shuffles.getOrDefault(shuffleId, Map.of()).containsKey(mapId);
  }

  /**
   * Forgets a shuffle; what is being read of it is freed with the last reader. Outputs of it that
   * are committed later are freed at once.
   *
   * @param shuffleId the shuffle; need not be known
   */
  public void drop(int shuffleId) {
    Map<Long, MapOutput> outputs;
    synchronized (this) {
      dropped.set(shuffleId);
      outputs = shuffles.remove(shuffleId);
    }
    if (outputs != null) {
      drop(outputs.values());
    }
  }

  /**
   * Forgets one output, such as one whose bytes are damaged; freed with its last reader.
   *
   * @param mapId the attempt; need not be known
   */
  public void forget(int shuffleId, long mapId) {
    MapOutput output;
    synchronized (this) {
      output = shuffles.getOrDefault(shuffleId, new HashMap<>()).remove(mapId);
    }
    if (output != null) {
      output.drop();
    }
  }

  private static void drop(Collection<MapOutput> outputs) {
    Closer closer = new Closer();
    outputs.forEach(output -> closer.close(output::drop));
    closer.rethrow();
  }

  /** Forgets all shuffles and refuses further outputs. Idempotent. */
  public void dropAll() {
    List<MapOutput> outputs = new ArrayList<>();
    synchronized (this) {
      closed = true;
      shuffles.values().forEach(some -> outputs.addAll(some.values()));
      shuffles.clear();
    }
    drop(outputs);
  }

  /** Returns how many outputs are known. */
  public synchronized int count() {
    return shuffles.values().stream().mapToInt(Map::size).sum();
  }

  /**
   * Returns bytes of memory that outputs take, about, those being written included: codes of
   * dictionary columns without the dictionaries, and of heaps the characters in use, although
   * outputs may keep more of these.
   */
  public long allocatedBytes() {
    long bytes = 0;
    for (KeptBatch batch : batches) {
      bytes += batch.batch().isInMemory() ? batch.sizeInBytes() : 0;
    }
    return bytes;
  }

  /**
   * Returns whether memory is full of more than outputs that nobody reads, which may go: what is
   * read had better be let go of soon then. A snapshot.
   */
  public boolean isScarce() {
    return isScarce(batch -> true);
  }

  /** Returns whether memory would be scarce if those outputs went that are idle and may go. */
  private boolean isScarce(Predicate<KeptBatch> mayGo) {
    long excess = spill.excessBytes();
    for (Iterator<KeptBatch> all = batches.iterator(); excess > 0 && all.hasNext(); ) {
      KeptBatch batch = all.next();
      excess -= mayGo.test(batch) ? batch.movableBytes() : 0;
    }
    return excess > 0;
  }

  /**
   * Returns whether a large batch may stay as it is although many partitions have rows there. Those
   * of other shuffles go before it, but where its own has more than memory takes, it had to come
   * back from disk for each partition.
   */
  boolean mayStayUncut(int shuffleId, long sizeInBytes) {
    long most = spill.capacityInBytes() / UNCUT_SHARE - sizeInBytes;
    return (uncutBytes.get() <= most || uncutBytesInMemory() <= most)
        && !isScarce(batch -> batch.shuffleId() != shuffleId);
  }

  private long uncutBytesInMemory() {
    long bytes = 0;
    for (KeptBatch batch : batches) {
      bytes += batch.isUncut() && batch.batch().isInMemory() ? batch.sizeInBytes() : 0;
    }
    return bytes;
  }

  /**
   * Lays rows to rest.
   *
   * @return owned by the caller, to be {@link #free freed}
   */
  KeptBatch keep(
      int shuffleId,
      RecordBatch batch,
      int firstPlace,
      int[] firstRows,
      long sizeInBytes,
      boolean isUncut) {
    SpillableBatch resting = spill.add(batch, isUncut ? UNCUT : AT_REST);
    KeptBatch kept = new KeptBatch(shuffleId, resting, firstPlace, firstRows, sizeInBytes, isUncut);
    batches.add(kept);
    uncutBytes.addAndGet(isUncut ? sizeInBytes : 0);
    return kept;
  }

  /** Frees a batch when nobody reads it any more. Idempotent. */
  void free(KeptBatch batch) {
    if (!batches.remove(batch)) {
      return; // its output may be dropped and its last reader end at the same time
    }
    uncutBytes.addAndGet(batch.isUncut() ? -batch.sizeInBytes() : 0);
    batch.batch().close();
  }

  private synchronized MemoryPool poolIfAny() {
    return pool;
  }

  synchronized MemoryPool pool() {
    if (pool == null) {
      // Only the parent is ever full: it is there that room can be made.
      pool = parent.newChild("map-outputs", Long.MAX_VALUE);
    }
    return pool;
  }

  /**
   * Makes an output known, or frees it when its shuffle is dropped.
   *
   * @param output owned by this from now on, also when this throws
   * @throws IllegalStateException when there is one of this attempt already
   */
  void add(int shuffleId, long mapId, MapOutput output) {
    boolean isWanted;
    MapOutput other = null;
    synchronized (this) {
      isWanted = !closed && !dropped.get(shuffleId);
      if (isWanted) {
        other =
            shuffles.computeIfAbsent(shuffleId, id -> new HashMap<>()).putIfAbsent(mapId, output);
      }
    }
    if (!isWanted || other != null) {
      output.drop();
    }
    if (other != null) {
      throw new IllegalStateException(
          "attempt " + mapId + " of shuffle " + shuffleId + " has an output already");
    }
  }

  /**
   * Drops all that is left.
   *
   * @throws IllegalStateException when an output is still written or read
   */
  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(this::dropAll);
    closer.close(poolIfAny());
    closer.rethrow();
  }
}
