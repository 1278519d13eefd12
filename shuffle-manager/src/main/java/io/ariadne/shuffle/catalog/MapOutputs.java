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
 * <p>An output is identified by its shuffle and the attempt of its map task, so that the outputs of
 * repeated and of speculative attempts do not replace each other. It may be read many times, by
 * repeated reduce tasks and by several readers of a reused exchange.
 */
public final class MapOutputs implements RuntimeService {
  /** No running task works on these batches: spill them before those of running tasks. */
  private static final SpillPlacement UNREAD = new OutputPlacement(Integer.MAX_VALUE);

  /** Spill after other outputs: a reader of one partition reads back all of an uncut batch. */
  private static final SpillPlacement UNCUT = new OutputPlacement(Integer.MAX_VALUE - 1);

  /** The part of memory that uncut batches may take. */
  private static final int UNCUT_SHARE = 4;

  private final MemoryPool parent;

  /** Of all batches of all outputs until they are freed. */
  private final MapOutputBytes bytes = new MapOutputBytes();

  /** A child of the parent's; null until there is an output. */
  private MemoryPool pool;

  private final SpillSpace spill;
  private final Map<Integer, Map<Long, MapOutput>> shuffles = new HashMap<>();
  private final MergedOutputs merged = new MergedOutputs();

  /** Shuffles that are read, whose rows stay where they are. */
  private final Set<Integer> read = new HashSet<>();

  /** Running attempts. */
  private final Set<MapAttempt> attempts = new HashSet<>();

  private boolean closed;

  /**
   * Creates an empty catalog.
   *
   * @param pool of host memory; a child of it accounts for batches that are concatenated or read
   *     back from disk
   * @param spill for the batches of outputs
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
   * The order of the partitions' rows in an output. Place 0 has the rows of the first partition,
   * place 1 those of the next one, and so on; partition 0 follows the last one.
   *
   * @param partitions the number of partitions of the shuffle
   * @param firstPartition the first partition, often 0
   */
  public record Places(int partitions, int firstPartition) {}

  /**
   * Begins an attempt of a map task. Called as early as the attempt is known, because a drop of its
   * shuffle concerns it from then on.
   *
   * @param shuffleId the shuffle
   * @param mapId the attempt, unique in the application
   * @return an attempt that the caller closes, or the writer that it makes
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
   * Opens the rows of consecutive partitions of an output. The output stays until the reader is
   * closed. Begins to {@link #read read} the shuffle.
   *
   * @param firstPartition the first
   * @param endPartition behind the last
   * @return a reader that the caller closes, or null when the output is not known or its rows were
   *     {@link #release released}
   * @throws IndexOutOfBoundsException when the output has no such partitions
   */
  public MapOutputReader open(int shuffleId, long mapId, int firstPartition, int endPartition) {
    return open(shuffleId, mapId, firstPartition, endPartition, true);
  }

  /**
   * Notes that a shuffle is read. {@link #release} then keeps all of its rows, so that a reader
   * that asks several times gets the same rows in the same order.
   */
  public synchronized void read(int shuffleId) {
    if (shuffles.containsKey(shuffleId)) {
      read.add(shuffleId);
    }
  }

  /** Opens rows as {@link #open} does, to copy them elsewhere: they may be released afterwards. */
  public MapOutputReader openToMerge(
      int shuffleId, long mapId, int firstPartition, int endPartition) {
    return open(shuffleId, mapId, firstPartition, endPartition, false);
  }

  private MapOutputReader open(
      int shuffleId, long mapId, int firstPartition, int endPartition, boolean isRead) {
    MapOutput output;
    synchronized (this) {
      output = find(shuffleId, mapId);
      if (output == null || !output.leaseRows(firstPartition, endPartition)) {
        return null;
      }
      if (isRead) {
        read.add(shuffleId);
      }
    }
    try {
      return new MapOutputReader(
          output, pool(), firstPartition, endPartition, () -> forget(shuffleId, mapId));
    } catch (RuntimeException | Error e) {
      output.endLease();
      throw e;
    }
  }

  /** Returns whether an output has rows of consecutive partitions, not released; a snapshot. */
  public synchronized boolean has(int shuffleId, long mapId, int firstPartition, int endPartition) {
    MapOutput output = find(shuffleId, mapId);
    return output != null && output.has(firstPartition, endPartition);
  }

  private MapOutput find(int shuffleId, long mapId) {
    return shuffles.getOrDefault(shuffleId, Map.of()).get(mapId);
  }

  /** Returns whether an output is known; a snapshot. */
  public synchronized boolean has(int shuffleId, long mapId) {
    return find(shuffleId, mapId) != null;
  }

  /**
   * Gives rows of an output up whose copy is elsewhere: their batches are freed when no reader and
   * no other partition needs them. Does nothing once the shuffle is read.
   *
   * @param mapId the attempt, known or not
   * @throws IndexOutOfBoundsException when the output has no such partitions
   */
  public void release(int shuffleId, long mapId, int firstPartition, int endPartition) {
    MapOutput output;
    synchronized (this) {
      output = read.contains(shuffleId) ? null : find(shuffleId, mapId);
      if (output != null) {
        output.release(firstPartition, endPartition);
      }
    }
    if (output != null) {
      output.clean();
    }
  }

  /**
   * Begins to merge rows of map outputs, of this process or of others.
   *
   * @return a round that the caller closes
   */
  public MergeRound beginMerge(int shuffleId) {
    return new MergeRound(this, merged, shuffleId);
  }

  /** Returns whether consecutive partitions of a map attempt are merged here; a snapshot. */
  public boolean isMerged(int shuffleId, long mapId, int firstPartition, int endPartition) {
    return merged.has(shuffleId, mapId, firstPartition, endPartition);
  }

  /**
   * Opens the merged rows of consecutive partitions of map attempts.
   *
   * @return a reader that the caller closes, or null when the rows of an attempt are not merged
   *     here
   */
  public MergedReader openMerged(
      int shuffleId, Set<Long> mapIds, int firstPartition, int endPartition) {
    return merged.open(shuffleId, mapIds, firstPartition, endPartition, this::pool);
  }

  /**
   * Forgets merged rows of map attempts, such as those of an executor that has dropped its outputs.
   *
   * @param mapIds the attempts, known or not
   */
  public void forgetMerged(int shuffleId, Collection<Long> mapIds) {
    merged.forget(shuffleId, mapIds);
  }

  /**
   * Forgets a shuffle. An output with readers is freed with its last reader. Outputs of running
   * attempts are freed at their commit. Outputs of attempts that begin later stay: Spark computes a
   * shuffle again when it needs it after its outputs were removed.
   *
   * @param shuffleId the shuffle, known or not
   */
  public void drop(int shuffleId) {
    Map<Long, MapOutput> outputs;
    synchronized (this) {
      attempts.stream().filter(each -> each.shuffleId() == shuffleId).forEach(MapAttempt::outdate);
      outputs = shuffles.remove(shuffleId);
      read.remove(shuffleId);
    }
    Closer closer = new Closer();
    closer.close(() -> merged.drop(shuffleId));
    closer.close(outputs == null ? null : () -> drop(outputs.values()));
    closer.rethrow();
  }

  /**
   * Forgets one output, such as one whose bytes are damaged, and its merged rows: a reader that has
   * some rows of the one must not continue in the other. It is freed with its last reader.
   *
   * @param mapId the attempt, known or not
   */
  public void forget(int shuffleId, long mapId) {
    MapOutput output;
    synchronized (this) {
      Map<Long, MapOutput> known = shuffles.getOrDefault(shuffleId, new HashMap<>());
      output = known.remove(mapId);
      if (output != null && known.isEmpty()) {
        shuffles.remove(shuffleId);
        read.remove(shuffleId);
      }
    }
    Closer closer = new Closer();
    closer.close(output == null ? null : output::drop);
    closer.close(() -> merged.forget(shuffleId, List.of(mapId)));
    closer.rethrow();
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
      read.clear();
    }
    Closer closer = new Closer();
    closer.close(merged::dropAll);
    closer.close(() -> drop(outputs));
    closer.rethrow();
  }

  /** Returns the number of known outputs. */
  public synchronized int count() {
    return shuffles.values().stream().mapToInt(Map::size).sum();
  }

  /**
   * Returns the map attempts of which rows are here, in their own outputs or merged, by their
   * shuffles; a snapshot.
   */
  public Map<Integer, Set<Long>> attempts() {
    Map<Integer, Set<Long>> found = merged.attempts();
    synchronized (this) {
      shuffles.forEach(
          (shuffleId, some) ->
              found.computeIfAbsent(shuffleId, id -> new HashSet<>()).addAll(some.keySet()));
    }
    return found;
  }

  /** Returns the number of attempts that have begun and not ended. */
  synchronized int runningCount() {
    return attempts.size();
  }

  /**
   * Returns the approximate bytes of outputs in memory, including outputs that are being written
   * and dropped outputs that still have readers. Counts the codes of dictionary columns without the
   * dictionaries, and the used characters of heaps, although outputs may retain more of both.
   */
  public long allocatedBytes() {
    return bytes.inMemory();
  }

  /** Returns the bytes that this process may keep in memory, for all its uses together. */
  public long capacityInBytes() {
    return spill.capacityInBytes();
  }

  /**
   * Returns whether memory stays scarce even when all outputs without readers are spilled. Readers
   * should then release their rows soon. A snapshot.
   */
  public boolean isScarce() {
    return spill.excessBytes() > bytes.movable();
  }

  /**
   * Returns whether a large batch may stay as it is although it has rows of many partitions.
   * Outputs of other shuffles are spilled before it. When its own shuffle has more than fits in
   * memory, the batch would be read back from disk for each partition.
   */
  boolean mayStayUncut(int shuffleId, long sizeInBytes) {
    return bytes.uncutInMemory() <= spill.capacityInBytes() / UNCUT_SHARE - sizeInBytes
        && spill.excessBytes() <= bytes.movableOfOthers(shuffleId);
  }

  /**
   * Makes a batch spillable.
   *
   * @param batch ownership passes to the result
   * @param isUncut whether the batch is large and yet has rows of all partitions: if it were
   *     spilled, the reader of each partition would read all of it back
   * @return a batch that the caller owns and {@link MapOutputBatch#free frees}
   */
  MapOutputBatch keep(
      int shuffleId,
      RecordBatch batch,
      int firstPlace,
      int[] firstRows,
      long sizeInBytes,
      boolean isUncut) {
    SpillableBatch spillable =
        spill.add(batch, isUncut ? UNCUT : UNREAD, bytes.shareOf(shuffleId, sizeInBytes, isUncut));
    return new MapOutputBatch(spillable, firstPlace, firstRows, sizeInBytes);
  }

  /**
   * Makes merged blocks spillable.
   *
   * @param batch has one column with their bytes; ownership passes to the result
   */
  SpillableBatch keepMerged(int shuffleId, RecordBatch batch, long sizeInBytes) {
    return spill.add(batch, UNREAD, bytes.shareOf(shuffleId, sizeInBytes, false));
  }

  private synchronized MemoryPool poolIfAny() {
    return pool;
  }

  synchronized MemoryPool pool() {
    if (pool == null) {
      // Only the parent has a limit, and spilling frees memory there.
      pool = parent.newChild("map-outputs", Long.MAX_VALUE);
    }
    return pool;
  }

  /**
   * Makes an output known, or frees it when its shuffle was dropped since the attempt began.
   *
   * @param output ownership passes to this object, also when this throws
   * @throws IllegalStateException when the attempt has an output already
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
   * Drops all outputs.
   *
   * @throws IllegalStateException when an output still has a writer or a reader
   */
  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(this::stop);
    closer.close(poolIfAny());
    closer.rethrow();
  }
}
