package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.testing.Await;
import io.ariadne.shuffle.catalog.MapOutputWriter;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.format.BlockConcatenator;
import io.ariadne.shuffle.format.EncodedBlock;
import io.ariadne.spill.SpillFiles;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.TransportContext;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.client.ChunkReceivedCallback;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;
import org.apache.spark.network.client.TransportClientFactory;
import org.apache.spark.network.server.OneForOneStreamManager;
import org.apache.spark.network.server.RpcHandler;
import org.apache.spark.network.server.StreamManager;
import org.apache.spark.network.server.TransportServer;
import org.apache.spark.network.util.AbstractFileRegion;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockBatchId;
import org.apache.spark.storage.ShuffleBlockId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/** Other processes get the rows of kept map outputs, or a failure that Spark recovers from. */
class TestInMemoryBlockBuffer {
  private static final int SHUFFLE = 4711;
  private static final int ROWS = 20_000;
  private static final long MAX_ON_HEAP = 64L << 20;
  private static final Schema SCHEMA =
      RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.STRING));

  @TempDir private static Path folder;

  private static SparkSession session;
  private final RandomBatches batches = RandomBatches.create();
  private final HeapBudget budget = new HeapBudget(MAX_ON_HEAP);
  private int filesBefore;

  @BeforeAll
  static void start() {
    session =
        SparkSession.builder()
            .master("local[2]")
            .appName("shuffle-manager tests")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.shuffle.manager", TestingShuffleManager.class.getName())
            .getOrCreate();
    ProcessRuntime.start(
        RuntimeConfig.of(2, 64 << 20).withSpill(DiskSpillOptions.in(List.of(folder))));
  }

  @AfterAll
  static void stop() {
    session.stop();
    ProcessRuntime.stop();
  }

  @BeforeEach
  void countFiles() {
    filesBefore = fileCount();
  }

  @AfterEach
  void assertNothingIsLeft() {
    outputs().drop(SHUFFLE);
    assertEquals(0, outputs().count());
    assertEquals(0, pool().allocatedBytes());
    assertEquals(0, ProcessRuntime.get().spilledBytes());
    assertEquals(0, budget.usedBytes());
    assertEquals(filesBefore, fileCount());
  }

  private static MapOutputs outputs() {
    return MapOutputs.of(ProcessRuntime.get());
  }

  private static MemoryPool pool() {
    return ProcessRuntime.get().pool();
  }

  private static int fileCount() {
    return SparkEnv.get().blockManager().diskBlockManager().getAllFiles().size();
  }

  /** Writes an output of two partitions; returns the rows of the first. */
  private List<List<Object>> write(long mapId) {
    RecordBatch batch = batches.batch(SCHEMA, ROWS, NullPattern.SOME, pool());
    List<List<Object>> rows = BatchAssertions.rows(batch).subList(0, ROWS / 2);
    MapOutputs.Places places = new MapOutputs.Places(2, 0);
    try (MapOutputWriter writer = outputs().begin(SHUFFLE, mapId).write(places, 1 << 20)) {
      writer.add(batch, new int[] {0, ROWS / 2, ROWS});
      writer.commit();
    }
    return rows;
  }

  private InMemoryBlockBuffer first(long mapId) {
    return new InMemoryBlockBuffer(new MapOutputRange(SHUFFLE, mapId, 0, 1), budget);
  }

  /** Reads a partition's blocks as Spark's reader does. */
  private static List<List<Object>> rows(long mapId, InputStream bytes) throws IOException {
    ShuffleBlockId id = new ShuffleBlockId(SHUFFLE, mapId, 0);
    ByteBuffer blocks;
    try (InputStream in = SparkEnv.get().serializerManager().wrapStream(id, bytes)) {
      blocks = ByteBuffer.wrap(in.readAllBytes());
    }
    List<List<Object>> rows = new ArrayList<>();
    while (blocks.hasRemaining()) {
      byte[] block = new byte[(int) blocks.getLong()];
      assertEquals(mapId, blocks.getLong());
      blocks.get(block);
      MemoryBuffer memory = pool().allocate(block.length);
      Memory.copy(block, 0, memory.address(), block.length);
      try (BlockConcatenator concatenator = new BlockConcatenator(SCHEMA, pool())) {
        concatenator.add(EncodedBlock.check(memory));
        try (RecordBatch batch = concatenator.concat(0)) {
          rows.addAll(BatchAssertions.rows(batch));
        }
      }
    }
    return rows;
  }

  @Test
  void encodesTheRowsOfAPartition() throws IOException {
    List<List<Object>> expected = write(1);
    InMemoryBlockBuffer buffer = first(1);
    buffer.retain();
    BatchAssertions.assertRowsInOrder(expected, rows(1, buffer.createInputStream()));
    assertTrue(budget.usedBytes() >= buffer.size());
    byte[] bytes = buffer.createInputStream().readAllBytes();
    assertEquals(bytes.length, buffer.size());
    assertEquals(bytes.length, buffer.nioByteBuffer().remaining());
    try (InputStream encrypted = (InputStream) buffer.convertToNettyForSsl()) {
      assertTrue(encrypted.available() > 0 && encrypted.available() < bytes.length);
      assertArrayEquals(bytes, encrypted.readAllBytes());
    }
    buffer.release();
    assertTrue(budget.usedBytes() > 0);
    buffer.release();
  }

  /** The budget is used up: the blocks go to a file. */
  @Test
  void encodesToAFileBeyondTheBudget() throws IOException {
    List<List<Object>> expected = write(1);
    assertTrue(budget.tryReserve(MAX_ON_HEAP));
    InMemoryBlockBuffer buffer = first(1);
    assertTrue(buffer.size() > 0);
    assertEquals(MAX_ON_HEAP, budget.usedBytes());
    assertEquals(filesBefore + 1, fileCount());
    BatchAssertions.assertRowsInOrder(expected, rows(1, buffer.createInputStream()));
    buffer.release();
    budget.release(MAX_ON_HEAP);
  }

  /** Spark does not release the buffer of each message that fails. */
  @Test
  void freesWhatIsDroppedWithoutARelease() throws IOException {
    write(1);
    assertTrue(first(1).size() > 0);
    assertTrue(budget.usedBytes() > 0);
    assertTrue(budget.tryReserve(MAX_ON_HEAP - budget.usedBytes()));
    assertTrue(first(1).size() > 0);
    assertEquals(filesBefore + 1, fileCount());
    Await.until(
        () -> {
          System.gc();
          return budget.usedBytes() < MAX_ON_HEAP && fileCount() == filesBefore;
        });
    budget.release(budget.usedBytes());
  }

  @Test
  void resolverFindsOnlyKeptOutputs() {
    write(1);
    for (BlockId id :
        List.of(new ShuffleBlockId(SHUFFLE, 1, 1), new ShuffleBlockBatchId(SHUFFLE, 1, 0, 2))) {
      ManagedBuffer buffer = resolver().getBlockData(id, Option.empty());
      assertInstanceOf(InMemoryBlockBuffer.class, buffer);
      assertTrue(buffer.size() > 0);
      buffer.release();
    }
    BlockId unknown = new ShuffleBlockId(SHUFFLE, 2, 0);
    assertThrows(IOException.class, () -> resolver().getBlockData(unknown, Option.empty()));
  }

  private static InMemoryBlockResolver resolver() {
    return (InMemoryBlockResolver) SparkEnv.get().shuffleManager().shuffleBlockResolver();
  }

  @Test
  void failsWhenTheOutputIsGone() {
    write(1);
    InMemoryBlockBuffer buffer = first(1);
    outputs().forget(SHUFFLE, 1);
    assertThrows(IOException.class, buffer::convertToNetty);
    assertThrows(UncheckedIOException.class, buffer::size);
    buffer.release();
  }

  /** A damaged output is dropped, because Spark computes it again. */
  @Test
  void dropsADamagedOutput() throws IOException {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "files without names are not found");
    write(1);
    try (MemoryBuffer most = moveOut()) {
      assertTrue(most.lengthInBytes() > 0 && SpillFiles.damage(folder) > 0);
    }
    InMemoryBlockBuffer buffer = first(1);
    IOException e = assertThrows(IOException.class, buffer::convertToNetty);
    assertTrue(e.getMessage().contains("damaged"), e.getMessage());
    assertFalse(outputs().has(SHUFFLE, 1));
    buffer.release();
    assertEquals(0, ProcessRuntime.get().spilledBytes());
  }

  /** Allocates memory until map outputs are on disk. */
  private static MemoryBuffer moveOut() {
    MemoryBuffer most = pool().allocate(pool().limitInBytes() / 16 * 15);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (pool().allocatedBytes() > most.lengthInBytes() && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertEquals(most.lengthInBytes(), pool().allocatedBytes(), "outputs stay in memory");
    return most;
  }

  /** After a broken connection Spark asks again for blocks that could not be encoded. */
  @Test
  void breaksTheConnectionWhenMemoryIsRefused() throws Exception {
    List<List<Object>> expected = write(1);
    try (MemoryBuffer most = moveOut();
        MemoryBuffer rest = pool().allocate(pool().availableBytes() - (64 << 10))) {
      assertTrue(most.lengthInBytes() + rest.lengthInBytes() > 0);
      InMemoryBlockBuffer buffer = first(1);
      assertEquals(1, buffer.size());
      AbstractFileRegion region = (AbstractFileRegion) buffer.convertToNetty();
      try (WritableByteChannel nowhere = Channels.newChannel(OutputStream.nullOutputStream())) {
        assertThrows(IOException.class, () -> region.transferTo(nowhere, 0));
      }
      try (InputStream encrypted = (InputStream) buffer.convertToNettyForSsl()) {
        assertThrows(IOException.class, encrypted::available);
      }
      buffer.release();
      ExecutionException e = assertThrows(ExecutionException.class, () -> fetched(first(1)));
      assertInstanceOf(
          IOException.class, e.getCause(), "Spark does not ask again after this exception");
    }
    byte[] bytes = fetched(first(1));
    BatchAssertions.assertRowsInOrder(expected, rows(1, new ByteArrayInputStream(bytes)));
  }

  /** Fetches a buffer by Spark's transport. */
  private static byte[] fetched(ManagedBuffer buffer) throws Exception {
    OneForOneStreamManager streams = new OneForOneStreamManager();
    RpcHandler handler =
        new RpcHandler() {
          @Override
          public void receive(
              TransportClient client, ByteBuffer message, RpcResponseCallback callback) {
            throw new UnsupportedOperationException("there are no calls");
          }

          @Override
          public StreamManager getStreamManager() {
            return streams;
          }
        };
    TransportConf conf = new TransportConf("shuffle", new MapConfigProvider(Map.of()));
    CompletableFuture<byte[]> result = new CompletableFuture<>();
    try (TransportContext context = new TransportContext(conf, handler);
        TransportServer server = context.createServer("127.0.0.1", 0, List.of());
        TransportClientFactory clients = context.createClientFactory(List.of());
        TransportClient client = clients.createClient("127.0.0.1", server.getPort())) {
      long stream = streams.registerStream("test", List.of(buffer).iterator(), null);
      client.fetchChunk(stream, 0, completing(result));
      return result.get(60, TimeUnit.SECONDS);
    }
  }

  private static ChunkReceivedCallback completing(CompletableFuture<byte[]> result) {
    return new ChunkReceivedCallback() {
      @Override
      public void onSuccess(int chunk, ManagedBuffer received) {
        try {
          result.complete(received.createInputStream().readAllBytes());
        } catch (IOException e) {
          result.completeExceptionally(e);
        }
      }

      @Override
      public void onFailure(int chunk, Throwable e) {
        result.completeExceptionally(e);
      }
    };
  }
}
