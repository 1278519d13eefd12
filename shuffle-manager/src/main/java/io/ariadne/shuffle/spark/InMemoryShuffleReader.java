package io.ariadne.shuffle.spark;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.strategy.PartitionOwners;
import io.ariadne.shuffle.strategy.ShuffleStrategy;
import io.ariadne.shuffle.transport.Peer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.BlockStoreShuffleReader;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleReader;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Product2;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;

/**
 * Reads the input of a reduce task: first the rows that its own process keeps, in the order of the
 * map tasks, then the blocks of other executors, which are fetched meanwhile: by Ariadne's
 * transport, or by Spark's reader from executors that do not serve it. Used by the task thread.
 */
final class InMemoryShuffleReader<K, C> implements ShuffleReader<K, C> {
  private final InMemoryShuffleHandle<K, ?, C> handle;
  private final boolean fetchesInBatch;
  private final TaskContext context;
  private final ShuffleReadMetricsReporter metrics;
  private final List<LocalMapOutputs.Place> own = new ArrayList<>();
  private final Map<PartitionRange, List<LocalMapOutputs.Place>> merged = new LinkedHashMap<>();
  private final MapOutputs outputs;
  private final PartitionRange partitions;
  private final List<PeerBlocks.Wanted> ofPeers = new ArrayList<>();

  /** The executors that answer, by their ids. */
  private final Map<String, Peer> peers;

  private final ShuffleTransport transport = ShuffleTransport.of(ProcessRuntime.get());
  private final List<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> others =
      new ArrayList<>();

  /**
   * Creates a reader.
   *
   * @param handle the shuffle
   * @param partitions the partitions of the task
   * @param places the blocks of each executor, without empty ones
   * @param fetchesInBatch whether Spark may fetch neighbouring blocks as one
   * @param context the task
   * @param metrics counts what is read
   */
  InMemoryShuffleReader(
      InMemoryShuffleHandle<K, ?, C> handle,
      PartitionRange partitions,
      Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> places,
      boolean fetchesInBatch,
      TaskContext context,
      ShuffleReadMetricsReporter metrics) {
    this.handle = handle;
    this.partitions = partitions;
    this.fetchesInBatch = fetchesInBatch;
    this.context = context;
    this.metrics = metrics;
    this.outputs = MapOutputs.of(ProcessRuntime.get());
    if (handle.plan().copies()) {
      OutputMerging.of(ProcessRuntime.get()).reading(handle.shuffleId());
      outputs.read(handle.shuffleId());
    }
    BlockManagerId here = SparkEnv.get().blockManager().blockManagerId();
    List<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> all =
        ScalaCollections.list(places.toSeq());
    peers = transport.meet(executors(all, here), context.attemptNumber() > 0);
    for (var place : all) {
      boolean isOwn = place._1().equals(here);
      Optional<Peer> peer =
          isOwn ? Optional.empty() : Optional.ofNullable(peers.get(place._1().executorId()));
      if (isOwn || peer.isPresent()) {
        places(place).forEach(rows -> addParts(rows, peer));
      } else {
        addAvoided(place);
      }
    }
  }

  /** Returns the executors that may have rows; this one when it owns some of the partitions. */
  private List<String> executors(
      List<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> all, BlockManagerId here) {
    Stream<String> places =
        all.stream()
            .map(Tuple2::_1)
            .filter(place -> !place.equals(here))
            .map(BlockManagerId::executorId);
    PartitionOwners owning =
        handle.plan().strategy().dropsOutputs() ? handle.plan().owners() : null;
    Stream<String> owners =
        owning == null
            ? Stream.of()
            : IntStream.rangeClosed(
                    owning.indexOf(partitions.first()), owning.indexOf(partitions.end() - 1))
                .mapToObj(owner -> owning.executors().get(owner).id());
    return Stream.concat(places, owners).distinct().toList();
  }

  /**
   * The partitions that a task reads.
   *
   * @param first the first one
   * @param end behind the last one
   */
  record PartitionRange(int first, int end) {}

  /** Adds rows of a map output: those of each owner of partitions by themselves. */
  private void addParts(LocalMapOutputs.Place place, Optional<Peer> peer) {
    split(place, (part, owned, owner) -> add(part, peer, owned, owner));
  }

  /**
   * Adds the rows of an executor that Spark's block transfer has to fetch, but not those that are
   * merged here.
   */
  private void addAvoided(Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>> place) {
    List<MapOutputRange> copied = new ArrayList<>();
    if (handle.plan().copies()) {
      for (LocalMapOutputs.Place rows : places(place)) {
        split(
            rows,
            (part, owned, owner) -> {
              if (addMerged(part, owned)) {
                copied.add(part.range());
              }
            });
      }
    }
    if (copied.isEmpty()) {
      others.add(place);
      return;
    }
    List<Tuple3<BlockId, Object, Object>> rest = new ArrayList<>();
    for (Tuple3<BlockId, Object, Object> block : ScalaCollections.list(place._2())) {
      ShuffleBlockId id = (ShuffleBlockId) block._1();
      if (copied.stream().noneMatch(range -> range.has(id.mapId(), id.reduceId()))) {
        rest.add(block);
      }
    }
    if (!rest.isEmpty()) {
      others.add(new Tuple2<>(place._1(), ScalaCollections.seq(rest)));
    }
  }

  /** Takes rows of a map output whose partitions have one owner. */
  private interface Part {
    /**
     * Takes rows.
     *
     * @param rows them
     * @param owned the partitions of their owner that the task reads
     * @param owner where they may have been copied to; null for nowhere else
     */
    void take(LocalMapOutputs.Place rows, PartitionRange owned, String owner);
  }

  private void split(LocalMapOutputs.Place place, Part action) {
    PartitionOwners owners = handle.plan().owners();
    if (owners == null) {
      action.take(place, partitions, null);
      return;
    }
    int first = place.range().firstPartition();
    while (first < place.range().endPartition()) {
      int owner = owners.indexOf(first);
      int from = Math.max(partitions.first(), owners.first(owner));
      int to = Math.min(partitions.end(), owners.first(owner + 1));
      int end = Math.min(place.range().endPartition(), to);
      action.take(
          place.part(first, end), new PartitionRange(from, to), owners.executors().get(owner).id());
      first = end;
    }
  }

  /**
   * Adds rows of a map output.
   *
   * @param peer who has them; empty for this process
   * @param owned the partitions of their owner that the task reads
   * @param owner where they may have been copied to; null for nowhere else
   */
  private void add(
      LocalMapOutputs.Place place, Optional<Peer> peer, PartitionRange owned, String owner) {
    if (addMerged(place, owned)) {
      return;
    }
    MapOutputRange range = place.range();
    Peer copyAt =
        owner != null && handle.plan().strategy().dropsOutputs() ? peers.get(owner) : null;
    if (peer.isPresent()) {
      ofPeers.add(new PeerBlocks.Wanted(peer.get(), place, copyAt));
    } else if (copyAt == null
        || outputs.has(
            range.shuffleId(), range.mapId(), range.firstPartition(), range.endPartition())) {
      own.add(place);
    } else {
      ofPeers.add(new PeerBlocks.Wanted(copyAt, place, null));
    }
  }

  /** Adds rows of a map output if they are merged here; returns whether they are. */
  private boolean addMerged(LocalMapOutputs.Place place, PartitionRange owned) {
    MapOutputRange range = place.range();
    boolean isMerged =
        handle.plan().copies()
            && outputs.isMerged(range.shuffleId(), range.mapId(), owned.first(), owned.end());
    if (isMerged) {
      merged.computeIfAbsent(owned, key -> new ArrayList<>()).add(place);
    }
    return isMerged;
  }

  /** Returns the rows that an executor has, with neighbouring partitions in one place. */
  private static List<LocalMapOutputs.Place> places(
      Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>> of) {
    List<LocalMapOutputs.Place> places = new ArrayList<>();
    Iterator<Tuple3<BlockId, Object, Object>> blocks = of._2().iterator();
    while (blocks.hasNext()) {
      Tuple3<BlockId, Object, Object> block = blocks.next();
      ShuffleBlockId id = (ShuffleBlockId) block._1();
      add(places, of._1(), id, (Integer) block._3(), (Long) block._2());
    }
    return places;
  }

  /**
   * Adds a partition of a map output. Extends the last place when that is of the same map task and
   * has no later partition; the partitions between them are empty.
   */
  static void add(
      List<LocalMapOutputs.Place> places,
      BlockManagerId location,
      ShuffleBlockId id,
      int mapIndex,
      long size) {
    long bytes = size;
    int first = id.reduceId();
    int blocks = 1;
    LocalMapOutputs.Place last = places.isEmpty() ? null : places.get(places.size() - 1);
    if (last != null
        && last.range().mapId() == id.mapId()
        && last.range().endPartition() <= id.reduceId()) {
      places.remove(places.size() - 1);
      first = last.range().firstPartition();
      blocks += last.blocks();
      bytes += last.bytes();
    }
    MapOutputRange range = new MapOutputRange(id.shuffleId(), id.mapId(), first, id.reduceId() + 1);
    places.add(new LocalMapOutputs.Place(location, range, blocks, mapIndex, bytes));
  }

  @Override
  public Iterator<Product2<K, C>> read() {
    PeerBlocks sent =
        ofPeers.isEmpty()
            ? null
            : new PeerBlocks(
                transport,
                ofPeers,
                !areElsewhere(handle.plan().strategy()),
                ProcessRuntime.get().pool(),
                context,
                metrics);
    Iterator<Product2<K, C>> fetched = others.isEmpty() ? null : fetched();
    ShuffleStrategy strategy = handle.plan().strategy();
    boolean areCopies = strategy.sendsToOwners() && !strategy.dropsOutputs();
    List<LocalMapOutputs.Merged> blocks = new ArrayList<>();
    merged.forEach(
        (range, places) ->
            blocks.add(new LocalMapOutputs.Merged(range.first(), range.end(), places)));
    LocalMapOutputs kept = new LocalMapOutputs(own, blocks, areCopies, context, metrics);
    return ScalaCollections.iterator(new LocalThenFetched<>(kept, sent, fetched));
  }

  /** Returns whether rows may be in other executors than Spark knows of. */
  private static boolean areElsewhere(ShuffleStrategy strategy) {
    return strategy.sendsToOwners() && strategy.dropsOutputs();
  }

  /** Starts to fetch the blocks of executors by Spark's block transfer. */
  private Iterator<Product2<K, C>> fetched() {
    SparkEnv env = SparkEnv.get();
    return new BlockStoreShuffleReader<K, C>(
            handle,
            ScalaCollections.iterator(others.iterator()),
            context,
            metrics,
            env.serializerManager(),
            env.blockManager(),
            env.mapOutputTracker(),
            fetchesInBatch)
        .read();
  }

  /** Rows of local map outputs, followed by the blocks of other executors. */
  private static final class LocalThenFetched<K, C> implements java.util.Iterator<Product2<K, C>> {
    private final LocalMapOutputs kept;

    /** Null when no peer sends blocks. */
    private final PeerBlocks sent;

    /** Null when there are no blocks to fetch by Spark's block transfer. */
    private final Iterator<Product2<K, C>> fetched;

    LocalThenFetched(LocalMapOutputs kept, PeerBlocks sent, Iterator<Product2<K, C>> fetched) {
      this.kept = kept;
      this.sent = sent;
      this.fetched = fetched;
    }

    @Override
    public boolean hasNext() {
      return kept.hasNext()
          || (sent != null && sent.hasNext())
          || (fetched != null && fetched.hasNext());
    }

    @Override
    public Product2<K, C> next() {
      if (kept.hasNext()) {
        return recordOf(kept.next());
      }
      return sent != null && sent.hasNext() ? recordOf(sent.next()) : fetched.next();
    }

    @SuppressWarnings("unchecked")
    private Product2<K, C> recordOf(BlockInput input) {
      return (Product2<K, C>) new Tuple2<Object, Object>(null, input);
    }
  }
}
