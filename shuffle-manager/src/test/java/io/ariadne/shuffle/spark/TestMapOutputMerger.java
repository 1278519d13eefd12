package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.memory.testing.Await;
import io.ariadne.shuffle.catalog.MapOutputWriter;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.catalog.MergeRound;
import io.ariadne.shuffle.catalog.MergedReader;
import io.ariadne.shuffle.codec.Codec;
import io.ariadne.shuffle.codec.CompressionPolicy;
import io.ariadne.shuffle.format.BlockConcatenator;
import io.ariadne.shuffle.format.EncodedBlock;
import io.ariadne.shuffle.strategy.MapOutputMerger;
import io.ariadne.shuffle.strategy.PartitionOwners;
import io.ariadne.shuffle.strategy.ShuffleStrategy;
import io.ariadne.shuffle.strategy.StrategyPlan;
import io.ariadne.shuffle.transport.BlockFetcher;
import io.ariadne.shuffle.transport.BlockRange;
import io.ariadne.shuffle.transport.BlockServer;
import io.ariadne.shuffle.transport.FetchLimits;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.PeerRegistry;
import io.ariadne.shuffle.transport.ReceivedBlock;
import io.ariadne.shuffle.transport.RemoteBlocks;
import io.ariadne.shuffle.transport.ReplyBytes;
import io.ariadne.shuffle.transport.TestingNetwork;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.TransportCounters;
import io.ariadne.shuffle.transport.WantedRange;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.SpillFiles;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows come out of merged blocks as they went into map outputs; nothing is left behind. */
class TestMapOutputMerger {
  private static final int SHUFFLE = 5;
  private static final int PARTITIONS = 13;
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(
          List.of(PrimitiveType.INT64, PrimitiveType.STRING, PrimitiveType.FLOAT64));
  private static final FetchLimits LIMITS =
      new FetchLimits(8 << 20, 1 << 18, 2, 2, Duration.ofMillis(1), Duration.ofMinutes(5));

  @TempDir private Path folder;

  private final RandomBatches batches = RandomBatches.create();
  private final Random random = batches.random();
  private final TestingNetwork network = new TestingNetwork(random.nextLong());
  private final Map<String, Peer> peers = new ConcurrentHashMap<>();
  private final List<Executor> executors = new ArrayList<>();

  /** The rows of each map attempt by partition. */
  private final Map<Long, List<List<List<Object>>>> expected = new TreeMap<>();

  private final Map<Long, Executor> writers = new HashMap<>();
  private long nextMapId = 100;

  /** A process with memory for some map outputs, which spill. */
  private final class Executor implements MapOutputMerger.Peers, AutoCloseable {
    private final String id = "executor-" + executors.size();
    private final MemoryPool pageMemory = MemoryPools.host("pages", 64 << 20, true);
    private final MemoryPool pool = MemoryPools.host(id, 16 << 20, true);
    private final PagePool pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 3, 6);
    private final DiskSpillStore disk =
        new DiskSpillStore(DiskSpillOptions.in(List.of(folder.resolve(id))), pages);
    private final SpillController controller =
        new SpillController(pool, List.of(disk), new PlanOrderEviction(), 0.5, 0.4);
    private final MapOutputs outputs = new MapOutputs(pool, controller);
    private final MapOutputSource source = new MapOutputSource(outputs, pool);
    private final MapOutputMerger merger = new MapOutputMerger(id, outputs, source, this);
    private final BlockServer server =
        new BlockServer(
            id,
            source,
            pool,
            CompressionPolicy.always(random.nextBoolean() ? Codec.LZ4 : Codec.NONE),
            new TransportCounters(),
            Duration.ofMinutes(1),
            2);
    private final Transport transport = network.start(new MessageHandler(server, merger));
    private final BlockFetcher fetcher =
        new BlockFetcher(
            id,
            transport,
            pool,
            LIMITS,
            new PeerRegistry() {
              @Override
              public Optional<Peer> find(String executor) {
                return Optional.ofNullable(peers.get(executor));
              }

              @Override
              public boolean isAlive(String executor) {
                return peers.containsKey(executor);
              }
            },
            new TransportCounters());

    Executor() {
      executors.add(this);
      peers.put(id, new Peer(id, "in-process", transport.port()));
    }

    @Override
    public String self() {
      return id;
    }

    @Override
    public Optional<Peer> find(String executor) {
      return Optional.ofNullable(peers.get(executor));
    }

    @Override
    public RemoteBlocks open(List<WantedRange> wanted) {
      return fetcher.open(wanted);
    }

    @Override
    public void tell(Peer peer, ByteBuffer message) {
      transport.request(
          peer,
          message,
          MessageHandler.MAX_ANSWER_BYTES,
          new Transport.Listener() {
            @Override
            public void received(ReplyBytes bytes) {}

            @Override
            public void failed(Throwable cause) {}
          });
    }

    /** Runs a map task. */
    long write(StrategyPlan plan, int rows) {
      long mapId = nextMapId++;
      List<List<List<Object>>> byPartition = new ArrayList<>();
      for (int p = 0; p < PARTITIONS; p++) {
        byPartition.add(new ArrayList<>());
      }
      long[] sizes;
      MapOutputs.Places places = new MapOutputs.Places(PARTITIONS, random.nextInt(PARTITIONS));
      try (MapOutputWriter writer = outputs.begin(SHUFFLE, mapId).write(places, 1 << 18)) {
        for (int left = rows; left > 0; ) {
          int count = Math.min(left, 1 + random.nextInt(3000));
          left -= count;
          NullPattern nulls = NullPattern.values()[random.nextInt(NullPattern.values().length)];
          RecordBatch batch =
              batches.batch(
                  SCHEMA,
                  count,
                  nulls,
                  ColumnEncoding.values()[random.nextInt(ColumnEncoding.values().length)],
                  pool);
          int[] firstRows = new int[PARTITIONS + 1];
          firstRows[PARTITIONS] = count;
          for (int p = 1; p < PARTITIONS; p++) {
            // Some places have no rows.
            firstRows[p] = random.nextInt(5) == 0 ? 0 : random.nextInt(count + 1);
          }
          Arrays.sort(firstRows);
          List<List<Object>> all = BatchAssertions.rows(batch);
          for (int place = 0; place < PARTITIONS; place++) {
            byPartition
                .get((place + places.firstPartition()) % PARTITIONS)
                .addAll(all.subList(firstRows[place], firstRows[place + 1]));
          }
          writer.add(batch, firstRows);
        }
        sizes = writer.commit();
      }
      expected.put(mapId, byPartition);
      writers.put(mapId, this);
      merger.committed(plan, SHUFFLE, mapId, sizes);
      return mapId;
    }

    List<List<Object>> readMerged(Set<Long> mapIds, int first, int end) {
      List<List<Object>> rows = new ArrayList<>();
      try (MergedReader reader = outputs.openMerged(SHUFFLE, mapIds, first, end)) {
        assertNotNull(reader, "not merged");
        while (reader.next()) {
          assertTrue(mapIds.contains(reader.mapId()));
          List<List<Object>> some = decoded(reader.take(), pool);
          assertEquals(some.size(), reader.rows());
          rows.addAll(some);
        }
      }
      return rows;
    }

    void checkMerged(int first, int end) {
      Set<Long> all = expected.keySet();
      for (int p = first; p < end; p++) {
        List<List<Object>> wanted = new ArrayList<>();
        for (long mapId : all) {
          List<List<Object>> ofMap = expected.get(mapId).get(p);
          BatchAssertions.assertRowsInOrder(ofMap, readMerged(Set.of(mapId), p, p + 1));
          wanted.addAll(ofMap);
        }
        BatchAssertions.assertRowsInAnyOrder(wanted, readMerged(all, p, p + 1));
      }
      assertNull(outputs.openMerged(SHUFFLE, Set.of(1L), first, end));
    }

    void drop() {
      outputs.drop(SHUFFLE);
      merger.dropped(SHUFFLE);
    }

    @Override
    public void close() {
      merger.close();
      fetcher.close();
      transport.close();
      server.close();
      outputs.close();
      controller.close();
      assertEquals(0, disk.storedBytes());
      disk.close();
      pages.close();
      pageMemory.close();
      Await.until(() -> pool.allocatedBytes() == 0);
      pool.close();
    }
  }

  private static List<List<Object>> decoded(MemoryBuffer block, MemoryPool pool) {
    try (BlockConcatenator blocks = new BlockConcatenator(SCHEMA, pool)) {
      blocks.add(EncodedBlock.check(block));
      try (RecordBatch batch = blocks.concat(0)) {
        return BatchAssertions.rows(batch);
      }
    }
  }

  @AfterEach
  void close() {
    executors.forEach(Executor::close);
    network.close();
  }

  private static StrategyPlan plan(ShuffleStrategy strategy, List<Executor> owners) {
    List<PartitionOwners.Owner> all =
        owners.stream().map(each -> new PartitionOwners.Owner(each.id, "in-process")).toList();
    PartitionOwners partitions = all.isEmpty() ? null : new PartitionOwners(PARTITIONS, all);
    return new StrategyPlan(strategy, partitions, "of the test");
  }

  /** Writes outputs until those before the last ones are merged. */
  private void writeUntilMerged(StrategyPlan plan, Executor executor, int outputs) {
    for (int i = 0; i < outputs; i++) {
      executor.write(plan, 2000 + random.nextInt(10_000));
    }
  }

  private boolean hasRows(long mapId, int first, int end) {
    return expected.get(mapId).subList(first, end).stream().anyMatch(rows -> !rows.isEmpty());
  }

  private boolean areMerged(Executor at, int first, int end) {
    return expected.keySet().stream().allMatch(id -> at.outputs.isMerged(SHUFFLE, id, first, end));
  }

  @Test
  void mergesOwnOutputsAndDropsThem() {
    Executor executor = new Executor();
    StrategyPlan plan = plan(ShuffleStrategy.MERGE, List.of());
    writeUntilMerged(plan, executor, 6);
    // Rounds begin with enough bytes: go on until all of the first ones are merged.
    while (!executor.outputs.isMerged(SHUFFLE, 105, 0, PARTITIONS)) {
      writeUntilMerged(plan, executor, 1);
    }
    expected.keySet().removeIf(id -> !executor.outputs.isMerged(SHUFFLE, id, 0, PARTITIONS));
    executor.checkMerged(0, PARTITIONS);
    for (long mapId : expected.keySet()) {
      Await.until(() -> !executor.outputs.has(SHUFFLE, mapId, 0, PARTITIONS));
      assertNull(executor.outputs.open(SHUFFLE, mapId, 0, PARTITIONS));
    }
    assertTrue(executor.merger.mergedBytes() > 0);
    executor.drop();
  }

  @ParameterizedTest
  @EnumSource(names = {"PUSH", "MOVE"})
  void copiesOutputsToOwners(ShuffleStrategy strategy) {
    List<Executor> all = List.of(new Executor(), new Executor(), new Executor());
    StrategyPlan plan = plan(strategy, all);
    for (int i = 0; i < 4; i++) {
      all.forEach(executor -> executor.write(plan, 500 + random.nextInt(4000)));
    }
    // Own rows alone begin no round: the last ones wait for more.
    for (int i = 0; i < all.size(); i++) {
      Executor owner = all.get(i);
      int first = plan.owners().first(i);
      int end = plan.owners().first(i + 1);
      Await.until(
          () ->
              expected.keySet().stream()
                  .filter(id -> writers.get(id) != owner && hasRows(id, first, end))
                  .allMatch(id -> owner.outputs.isMerged(SHUFFLE, id, first, end)));
    }
    Map<Long, List<List<List<Object>>>> written = new TreeMap<>(expected);
    for (int i = 0; i < all.size(); i++) {
      Executor owner = all.get(i);
      int first = plan.owners().first(i);
      int end = plan.owners().first(i + 1);
      expected.clear();
      expected.putAll(written);
      expected.keySet().removeIf(id -> !owner.outputs.isMerged(SHUFFLE, id, first, end));
      assertFalse(expected.isEmpty());
      owner.checkMerged(first, end);
      for (long mapId : expected.keySet()) {
        boolean isKept = strategy == ShuffleStrategy.PUSH;
        Await.until(() -> writers.get(mapId).outputs.has(SHUFFLE, mapId, first, end) == isKept);
      }
    }
    all.forEach(Executor::drop);
  }

  @Test
  void keepsRowsThatAreRead() {
    Executor writer = new Executor();
    Executor owner = new Executor();
    StrategyPlan plan = plan(ShuffleStrategy.MOVE, List.of(owner));
    long mapId = writer.write(plan, 3000);
    writer.outputs.read(SHUFFLE);
    Await.until(() -> areMerged(owner, 0, PARTITIONS));
    owner.checkMerged(0, PARTITIONS);
    writer.write(plan, 1000);
    Await.until(() -> areMerged(owner, 0, PARTITIONS));
    awaitNotices(writer);
    assertTrue(writer.outputs.has(SHUFFLE, mapId + 1, 0, PARTITIONS));
    owner.drop();
    writer.drop();
  }

  @Test
  void mergedRowsAreOfAttemptsThatMayBeForgotten() {
    Executor writer = new Executor();
    Executor owner = new Executor();
    StrategyPlan plan = plan(ShuffleStrategy.PUSH, List.of(owner));
    long mapId = writer.write(plan, 3000);
    Await.until(() -> areMerged(owner, 0, PARTITIONS));
    assertEquals(Map.of(SHUFFLE, Set.of(mapId)), writer.outputs.attempts());
    assertEquals(Map.of(SHUFFLE, Set.of(mapId)), owner.outputs.attempts());
    assertEquals(0, owner.outputs.count());
    owner.outputs.forget(SHUFFLE, mapId);
    assertEquals(Map.of(), owner.outputs.attempts());
    assertEquals(0, owner.outputs.allocatedBytes());
    owner.drop();
    writer.drop();
  }

  @Test
  void forgetsABatchThatIsDamagedOnDisk() throws IOException {
    Executor writer = new Executor();
    Executor owner = new Executor();
    StrategyPlan plan = plan(ShuffleStrategy.PUSH, List.of(owner));
    long mapId = writer.write(plan, 5000);
    Await.until(() -> areMerged(owner, 0, PARTITIONS));
    try (MemoryBuffer most = owner.pool.allocate(owner.pool.limitInBytes() / 32 * 31)) {
      Await.until(() -> owner.pool.allocatedBytes() == most.lengthInBytes());
      assertTrue(SpillFiles.damage(folder.resolve(owner.id)) > 0);
    }
    EngineException damaged =
        assertThrows(EngineException.class, () -> owner.readMerged(Set.of(mapId), 0, PARTITIONS));
    assertEquals(ErrorCode.CORRUPT_DATA, damaged.code());
    assertFalse(owner.outputs.isMerged(SHUFFLE, mapId, 0, PARTITIONS));
    assertTrue(writer.outputs.has(SHUFFLE, mapId, 0, PARTITIONS));
    owner.drop();
    writer.drop();
  }

  @Test
  void aRoundOfAShuffleThatIsDroppedMeanwhileLeavesNothing() {
    Executor executor = new Executor();
    try (MergeRound round = executor.outputs.beginMerge(SHUFFLE)) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        round.add(partition, 1, 10, round.allocator().allocate(1 + random.nextInt(1 << 19)));
      }
      executor.drop();
      assertFalse(round.commit(Set.of(1L), 0, PARTITIONS));
    }
    assertFalse(executor.outputs.isMerged(SHUFFLE, 1, 0, PARTITIONS));
    assertEquals(0, executor.outputs.allocatedBytes());
    assertEquals(0, executor.pool.allocatedBytes());
  }

  /** Returns a notice that rows are merged (1) or forgotten (2), as its bytes are documented. */
  private static ByteBuffer notice(int kind, String executor, long mapId) {
    byte[] name = executor.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(28 + name.length + Long.BYTES);
    bytes.put((byte) 'N').put((byte) 1).put((byte) kind).put((byte) 0);
    bytes.putInt(SHUFFLE).putInt(0).putInt(PARTITIONS);
    bytes.putInt(name.length).putInt(1).putInt(0).put(name).putLong(mapId);
    return bytes.flip();
  }

  /** Waits until an executor has obeyed its notices: one thread does, in their order. */
  private void awaitNotices(Executor executor) {
    Executor other = new Executor();
    long marker = other.write(plan(ShuffleStrategy.PUSH, List.of(executor)), 1000);
    Await.until(() -> executor.outputs.isMerged(SHUFFLE, marker, 0, PARTITIONS));
    executor.merger.handle(notice(2, other.id, marker));
    Await.until(() -> !executor.outputs.isMerged(SHUFFLE, marker, 0, PARTITIONS));
    expected.remove(marker);
  }

  /** Rows are given up only for the executor that they were to move to. */
  @Test
  void keepsRowsThatWereNotMoved() {
    Executor writer = new Executor();
    Executor owner = new Executor();
    peers.put(owner.id, new Peer(owner.id, "in-process", 65_535)); // gets no notice
    long moved = writer.write(plan(ShuffleStrategy.MOVE, List.of(owner)), 3000);
    writer.merger.handle(notice(1, "another-executor", moved));
    awaitNotices(writer);
    assertTrue(writer.outputs.has(SHUFFLE, moved, 0, PARTITIONS));
    writer.merger.handle(notice(1, owner.id, moved));
    awaitNotices(writer);
    assertFalse(writer.outputs.has(SHUFFLE, moved, 0, PARTITIONS));
    writer.drop();
    long pushed = writer.write(plan(ShuffleStrategy.PUSH, List.of(owner)), 3000);
    writer.merger.handle(notice(1, owner.id, pushed));
    awaitNotices(writer);
    assertTrue(writer.outputs.has(SHUFFLE, pushed, 0, PARTITIONS));
    writer.drop();
  }

  /** Rows stay where they are once a reader may have some of them. */
  @Test
  void keepsMovedRowsThatAreRead() {
    Executor writer = new Executor();
    Executor owner = new Executor();
    peers.put(owner.id, new Peer(owner.id, "in-process", 65_535)); // gets no notice
    long mapId = writer.write(plan(ShuffleStrategy.MOVE, List.of(owner)), 3000);
    writer.outputs.read(SHUFFLE);
    writer.merger.handle(notice(1, owner.id, mapId));
    awaitNotices(writer);
    assertTrue(writer.outputs.has(SHUFFLE, mapId, 0, PARTITIONS));
    writer.drop();
  }

  /** The rows of a range are fetched from their copy when the map output was given up. */
  @Test
  void readsCopyOfMovedRows() throws InterruptedException {
    Executor writer = new Executor();
    Executor owner = new Executor();
    Executor reader = new Executor();
    StrategyPlan plan = plan(ShuffleStrategy.MOVE, List.of(owner));
    long mapId = writer.write(plan, 5000);
    Await.until(() -> !writer.outputs.has(SHUFFLE, mapId, 0, PARTITIONS));
    List<WantedRange> wanted = new ArrayList<>();
    for (int p = 0; p < PARTITIONS; p++) {
      BlockRange range = new BlockRange(SHUFFLE, mapId, p, p + 1, 0);
      wanted.add(new WantedRange(peers.get(writer.id), range, 1000, peers.get(owner.id)));
    }
    Map<Integer, List<List<Object>>> rows = new HashMap<>();
    try (RemoteBlocks blocks = reader.fetcher.open(wanted)) {
      for (ReceivedBlock block = blocks.next(() -> {});
          block != null;
          block = blocks.next(() -> {})) {
        rows.computeIfAbsent(block.index(), key -> new ArrayList<>())
            .addAll(decoded(block.bytes().decompress(reader.pool), reader.pool));
      }
    }
    for (int p = 0; p < PARTITIONS; p++) {
      BatchAssertions.assertRowsInOrder(
          expected.get(mapId).get(p), rows.getOrDefault(p, List.of()));
    }
    writer.drop();
    owner.drop();
  }

  /** An owner may have dropped the shuffle before it hears of its last rows. */
  @Test
  void ownersForgetWhatWritersDrop() {
    Executor writer = new Executor();
    Executor owner = new Executor();
    StrategyPlan plan = plan(ShuffleStrategy.PUSH, List.of(owner));
    writer.write(plan, 3000);
    owner.drop();
    writer.write(plan, 3000);
    Await.until(() -> owner.outputs.isMerged(SHUFFLE, nextMapId - 1, 0, PARTITIONS));
    writer.drop();
    Await.until(() -> !owner.outputs.isMerged(SHUFFLE, nextMapId - 1, 0, PARTITIONS));
    Await.until(() -> owner.outputs.allocatedBytes() == 0);
  }

  /** A lost executor does not keep an owner from merging the rows of others. */
  @Test
  void mergesBesideLostExecutor() {
    Executor lost = new Executor();
    Executor writer = new Executor();
    Executor owner = new Executor();
    StrategyPlan plan = plan(ShuffleStrategy.PUSH, List.of(owner));
    long gone = lost.write(plan, 10_000);
    List<List<List<Object>>> rows = expected.get(gone);
    lost.transport.close();
    peers.remove(lost.id);
    expected.clear();
    for (int i = 0; i < 5; i++) {
      writer.write(plan, 3000);
    }
    Await.until(() -> areMerged(owner, 0, PARTITIONS));
    owner.checkMerged(0, PARTITIONS);
    // They may have arrived before their executor was lost, all of them.
    for (int p = 0; owner.outputs.isMerged(SHUFFLE, gone, 0, PARTITIONS) && p < PARTITIONS; p++) {
      BatchAssertions.assertRowsInOrder(rows.get(p), owner.readMerged(Set.of(gone), p, p + 1));
    }
    owner.drop();
    writer.drop();
    lost.drop();
  }
}
