package io.ariadne.shuffle.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.shuffle.codec.Codec;
import io.ariadne.shuffle.codec.CompressionPolicy;
import io.ariadne.shuffle.transport.BlockRange;
import io.ariadne.shuffle.transport.BlockServer;
import io.ariadne.shuffle.transport.BlockSource;
import io.ariadne.shuffle.transport.ChangedReplies;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.PeerRegistry;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.TransportCounters;
import io.ariadne.shuffle.transport.netty.TcpSettings;
import io.ariadne.shuffle.transport.netty.TcpTransport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.FetchFailed;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.TaskContextImpl;
import org.apache.spark.network.util.MapConfigProvider;
import org.apache.spark.network.util.TransportConf;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.storage.BlockManagerId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Option;

/** Blocks of another executor come to a task decompressed; damaged ones are fetch failures. */
@Timeout(120)
class TestPeerBlocks {
  private static final int SHUFFLE = 5;
  private static final long MAP_ATTEMPT = 17;
  private static final int MAP_INDEX = 3;
  private static final int PARTITION = 2;
  private static final int BLOCK_BYTES = 10_000;

  private final MemoryPool memory = MemoryPools.host("sender", 16 << 20, true);
  private SparkContext spark;
  private TaskContextImpl context;
  private BlockServer server;
  private Transport sending;
  private Peer peer;

  /** Whether the bytes of blocks are damaged on the way. */
  private volatile boolean isDamaging;

  private final class OneBlock implements BlockSource, BlockSource.Blocks {
    private boolean isRead;

    @Override
    public Blocks open(BlockRange range, long maxBytes) {
      return new OneBlock();
    }

    @Override
    public long next(long bytesLeft) {
      return isRead ? 0 : BLOCK_BYTES;
    }

    @Override
    public int rows() {
      return 1;
    }

    @Override
    public MemoryBuffer encode() {
      isRead = true;
      MemoryBuffer block = memory.allocate(BLOCK_BYTES);
      block.fillZero();
      return block;
    }

    @Override
    public void close() {}
  }

  @BeforeEach
  void start() {
    spark =
        new SparkContext(
            new SparkConf()
                .setMaster("local[1]")
                .setAppName("peer blocks")
                .set("spark.log.level", "ERROR")
                .set("spark.shuffle.io.maxRetries", "0")
                .set("spark.ui.enabled", "false"));
    ProcessRuntime.start(RuntimeConfig.of(2, 64 << 20));
    context = TaskContext$.MODULE$.empty();
    TaskContext$.MODULE$.setTaskContext(context);
    PeerRegistry registry =
        new PeerRegistry() {
          @Override
          public Optional<Peer> find(String executor) {
            return Optional.empty();
          }

          @Override
          public boolean isAlive(String executor) {
            return true;
          }
        };
    var unused =
        transport()
            .start(
                ProcessRuntime.get(),
                "127.0.0.1",
                new ShuffleTransport.Ports(0, 0),
                CompressionPolicy.always(Codec.NONE),
                registry,
                Optional.empty(),
                false);
  }

  private static ShuffleTransport transport() {
    return ShuffleTransport.of(ProcessRuntime.get());
  }

  @AfterEach
  void stop() {
    context.markTaskCompleted(Option.empty());
    TaskContext$.MODULE$.unset();
    sending.close();
    server.close();
    assertEquals(0, ProcessRuntime.get().pool().allocatedBytes());
    ProcessRuntime.stop();
    spark.stop();
    assertEquals(0, memory.allocatedBytes());
    memory.close();
  }

  private void serve(Codec codec) {
    CompressionPolicy policy = CompressionPolicy.always(codec);
    server =
        new BlockServer(
            "sender",
            new OneBlock(),
            memory,
            policy,
            new TransportCounters(),
            Duration.ofMinutes(1),
            1);
    TransportConf conf = new TransportConf("shuffle", new MapConfigProvider(Map.of()));
    sending =
        TcpTransport.start(
            "sender",
            new TcpSettings(conf, "127.0.0.1", 0, 0, List.of(), List.of()),
            new ChangedReplies(server, this::damaged));
    peer = new Peer("7", "127.0.0.1", sending.port());
  }

  private List<ByteBuffer> damaged(List<ByteBuffer> parts) {
    List<ByteBuffer> sent = new ArrayList<>(parts);
    if (isDamaging) {
      // The head is right; no codec decompresses these bytes.
      byte[] damaged = new byte[parts.get(1).remaining()];
      Arrays.fill(damaged, (byte) 0xFF);
      sent.set(1, ByteBuffer.wrap(damaged));
    }
    return sent;
  }

  private PeerBlocks open() {
    return open(true);
  }

  private PeerBlocks open(boolean hasSpark) {
    LocalMapOutputs.Place place =
        new LocalMapOutputs.Place(
            BlockManagerId.apply("7", "host-of-the-peer", 7337, Option.empty()),
            new MapOutputRange(SHUFFLE, MAP_ATTEMPT, PARTITION, PARTITION + 1),
            1,
            MAP_INDEX,
            BLOCK_BYTES);
    return new PeerBlocks(
        transport(),
        List.of(new PeerBlocks.Wanted(peer, place, null)),
        hasSpark,
        ProcessRuntime.get().pool(),
        context,
        context.taskMetrics().createTempShuffleReadMetrics());
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void decompressesBlocks(Codec codec) {
    serve(codec);
    PeerBlocks blocks = open();
    assertTrue(blocks.hasNext());
    BlockInput input = blocks.next();
    assertEquals(BLOCK_BYTES, input.lengthInBytes());
    try (MemoryBuffer bytes = input.take(ProcessRuntime.get().pool())) {
      byte[] content = new byte[BLOCK_BYTES];
      Memory.copy(bytes.address(), content, 0, BLOCK_BYTES);
      assertEquals(BLOCK_BYTES, content.length);
      assertTrue(Arrays.equals(new byte[BLOCK_BYTES], content));
    }
    assertFalse(blocks.hasNext());
  }

  @ParameterizedTest
  @EnumSource(value = Codec.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void failsByAFetchFailureOfTheMapAttempt(Codec codec) {
    serve(codec);
    isDamaging = true;
    PeerBlocks blocks = open();
    FetchFailedException failure = assertThrows(FetchFailedException.class, blocks::next);
    FetchFailed reason = (FetchFailed) failure.toTaskFailedReason();
    assertEquals(SHUFFLE, reason.shuffleId());
    assertEquals(MAP_ATTEMPT, reason.mapId());
    assertEquals(MAP_INDEX, reason.mapIndex());
    assertEquals(PARTITION, reason.reduceId());
    assertEquals("7", reason.bmAddress().executorId());
    assertTrue(reason.message().contains(codec.toString()), reason.message());
  }

  /** Its port may be closed: the map outputs of the executor are not lost. */
  @Test
  void leavesAnExecutorThatIsNotReachedToSparksBlockTransfer() {
    serve(Codec.NONE);
    sending.close();
    EngineException unreached = assertThrows(EngineException.class, () -> open().hasNext());
    assertEquals(ErrorCode.TRANSPORT, unreached.code());
    assertTrue(transport().avoidIfAlive(peer, unreached));
    assertEquals(Map.of(), transport().meet(List.of("7"), false));
  }

  @Test
  void runsMapTasksAgainWhoseRowsSparksBlockTransferDoesNotFind() {
    serve(Codec.NONE);
    sending.close();
    assertThrows(FetchFailedException.class, () -> open(false).hasNext());
  }

  /** The bytes are right again when Spark has run the map task again. */
  @Test
  void readsTheBlockOnceItIsRight() {
    serve(Codec.ZSTD);
    isDamaging = true;
    assertThrows(FetchFailedException.class, () -> open().next());
    isDamaging = false;
    assertEquals(BLOCK_BYTES, open().next().lengthInBytes());
  }
}
