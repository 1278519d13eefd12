package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeService;
import io.ariadne.memory.MemoryPool;
import io.ariadne.spill.SpillPlacement;
import io.ariadne.spill.SpillSpace;
import io.ariadne.spill.SpillableBatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The map outputs of one process. Thread-safe; owns them until their shuffle is dropped.
 *
 * <p>An output is known by its shuffle and the attempt of its map task, so that outputs of repeated
 * and of speculative attempts live side by side. It may be read many times, by repeated reduce
 * tasks and by several readers of a reused exchange.
 */
public final class MapOutputs implements RuntimeService {
  /** Nobody works on what reads it, so it goes before all that the running tasks have at rest. */
  private static final SpillPlacement AT_REST = SpillPlacement.at(Integer.MAX_VALUE, false);

  /** Goes after other outputs, of which readers need not read back more than they want. */
  private static final SpillPlacement UNCUT = SpillPlacement.at(Integer.MAX_VALUE - 1, false);

  /** The part of memory that uncut batches may take. */
  private static final int UNCUT_SHARE = 4;

  private final MemoryPool parent;

  /** Of all batches that are not freed, of any output. */
  private final MapOutputBytes bytes = new MapOutputBytes();

  /** A child of the parent's; null until there is an output. */
  private MemoryPool pool;

  private final SpillSpace spill;
  private final Map<Integer, Map<Long, MapOutput>> shuffles = new HashMap<>();

  /** Those that run. */
  private final Set<MapAttempt> attempts = new HashSet<>();

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
   * Returns the map outputs of a runtime.
   *
   * @param runtime the owner of the map outputs
   */
  public static MapOutputs of(ExecutorRuntime runtime) {
    return runtime.service(MapOutputs.class, MapOutputs::new);
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
   * Begins an attempt of a map task: as early as it is known, since drops of its shuffle count from
   * then on.
   *
   * @param shuffleId the shuffle
   * @param mapId the attempt, unique in the application
   * @return to be closed by the caller, or by the writer it makes
   */
  public synchronized MapAttempt begin(int shuffleId, long mapId) {
    MapAttempt attempt = new MapAttempt(this, shuffleId, mapId);
    attempts.add(attempt);
    return attempt;
  }

  synchronized void end(MapAttempt attempt) {
    attempts.remove(attempt);
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
   * Forgets a shuffle; what is being read of it is freed with the last reader. Outputs of attempts
   * that run now are freed at their commit; those of attempts that begin later are kept, since a
   * shuffle of which only the outputs were removed is computed again when it is needed.
   *
   * @param shuffleId the shuffle; need not be known
   */
  public void drop(int shuffleId) {
    Map<Long, MapOutput> outputs;
    synchronized (this) {
      attempts.stream().filter(each -> each.shuffleId() == shuffleId).forEach(MapAttempt::outdate);
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
  @Override
  public void stop() {
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

  /** Returns how many attempts have begun and not ended. */
  synchronized int runningCount() {
    return attempts.size();
  }

  /**
   * Returns bytes of memory that outputs take, about, those being written included, and what is
   * still read of dropped ones: codes of dictionary columns without the dictionaries, and of heaps
   * the characters in use, although outputs may keep more of these.
   */
  public long allocatedBytes() {
    return bytes.inMemory();
  }

  /**
   * Returns whether memory is full of more than outputs that nobody reads, which may go: what is
   * read had better be let go of soon then. A snapshot.
   */
  public boolean isScarce() {
    return spill.excessBytes() > bytes.movable();
  }

  /**
   * Returns whether a large batch may stay as it is although many partitions have rows there. Those
   * of other shuffles go before it, but where its own has more than memory takes, it had to come
   * back from disk for each partition.
   */
  boolean mayStayUncut(int shuffleId, long sizeInBytes) {
    return bytes.uncutInMemory() <= spill.capacityInBytes() / UNCUT_SHARE - sizeInBytes
        && spill.excessBytes() <= bytes.movableOfOthers(shuffleId);
  }

  /**
   * Lays rows to rest.
   *
   * @param isUncut whether it is large and yet has rows of all partitions: would it be on disk,
   *     each of these would have all of it read back
   * @return owned by the caller, to be {@link MapOutputBatch#free freed}
   */
  MapOutputBatch keep(
      int shuffleId,
      RecordBatch batch,
      int firstPlace,
      int[] firstRows,
      long sizeInBytes,
      boolean isUncut) {
    SpillableBatch resting =
        spill.add(batch, isUncut ? UNCUT : AT_REST, bytes.shareOf(shuffleId, sizeInBytes, isUncut));
    return new MapOutputBatch(resting, firstPlace, firstRows, sizeInBytes);
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
   * Makes an output known, or frees it when its shuffle was dropped since the attempt began.
   *
   * @param output owned by this from now on, also when this throws
   * @throws IllegalStateException when there is one of this attempt already
   */
  void add(MapAttempt attempt, MapOutput output) {
    int shuffleId = attempt.shuffleId();
    long mapId = attempt.mapId();
    boolean isWanted;
    MapOutput other = null;
    synchronized (this) {
      isWanted = !closed && !attempt.isOutdated();
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
    closer.close(this::stop);
    closer.close(poolIfAny());
    closer.rethrow();
  }
}
