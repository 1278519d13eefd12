package io.ariadne.shuffle.catalog;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.memory.MemoryPool;
import io.ariadne.spill.SpillSpace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The map outputs of one process. Thread-safe; owns them until their shuffle is dropped.
 *
 * <p>An output is known by its shuffle and the attempt of its map task, so that outputs of repeated
 * and of speculative attempts live side by side. It may be read many times, by repeated reduce
 * tasks and by several readers of a reused exchange.
 */
public final class MapOutputs implements AutoCloseable {
  private final MemoryPool parent;

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
   * @param pool of host memory; what outputs take is charged to a child of it
   * @param spill where outputs rest
   */
  public MapOutputs(MemoryPool pool, SpillSpace spill) {
    this.parent = pool;
    this.spill = spill;
  }

  /**
   * Begins an output. Nothing of it can be read before it is committed.
   *
   * @param shuffleId the shuffle
   * @param mapId the attempt of the map task, unique in the application
   * @param partitions how many partitions the shuffle has
   * @return to be closed by the caller, also after the commit
   */
  public MapOutputWriter write(int shuffleId, long mapId, int partitions) {
    return new MapOutputWriter(this, shuffleId, mapId, partitions);
  }

  /**
   * Opens the blocks of neighbouring partitions in an output, which stay until the reader is
   * closed.
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

  /** Returns bytes of memory that outputs take, those being written included. */
  public long allocatedBytes() {
    MemoryPool used = poolIfAny();
    return used == null ? 0 : used.allocatedBytes();
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

  SpillSpace spill() {
    return spill;
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
