package io.ariadne.benchmark.transfer;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.shuffle.codec.CompressionPolicy;
import io.ariadne.shuffle.transport.BlockRange;
import io.ariadne.shuffle.transport.BlockServer;
import io.ariadne.shuffle.transport.BlockSource;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.TransportCounters;
import io.ariadne.shuffle.transport.netty.TcpSettings;
import io.ariadne.shuffle.transport.netty.TcpTransport;
import io.ariadne.shuffle.transport.ucx.UcxSecurity;
import io.ariadne.shuffle.transport.ucx.UcxTransport;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Serves blocks by Ariadne's transport; the map attempt of a range is the number of its block. */
final class AriadneSender implements TransferSender {
  private static final long POOL_BYTES = 512L << 20;
  private static final Duration STALL = Duration.ofMinutes(2);
  private static final int THREADS = 2;

  private final MemoryPool pool = MemoryPools.host("sender", POOL_BYTES, false);
  private final BlockServer server;
  private final Transport transport;

  AriadneSender(String host, Payload payload, CompressionPolicy policy, boolean isUcx) {
    server =
        new BlockServer(
            "sender",
            new Blocks(payload, pool),
            pool,
            policy,
            new TransportCounters(),
            STALL,
            THREADS);
    transport = start("sender", host, pool, server, isUcx);
  }

  /** Starts a transport over UCX, or over TCP. */
  static Transport start(
      String name, String host, MemoryPool pool, Transport.Handler handler, boolean isUcx) {
    Function<Transport.Handler, Transport> tcp =
        handling -> TcpTransport.start(name, settings(host), handling);
    return isUcx
        ? UcxTransport.start(name, host, new UcxSecurity(false, false), pool, tcp, handler)
        : tcp.apply(handler);
  }

  private static TcpSettings settings(String host) {
    return new TcpSettings(SparkParts.connections(), host, 0, 0, List.of(), List.of());
  }

  @Override
  public int port() {
    return transport.port();
  }

  @Override
  public void close() {
    transport.close();
    server.close();
    pool.close();
  }

  private record Blocks(Payload payload, BufferAllocator allocator) implements BlockSource {
    @Override
    public BlockSource.Blocks open(BlockRange range, long maxBytes) {
      return new OneBlock(range);
    }

    /** The only block of a range. */
    private final class OneBlock implements BlockSource.Blocks {
      private final BlockRange range;
      private boolean isDone;

      OneBlock(BlockRange range) {
        this.range = range;
        this.isDone = range.firstRow() > 0;
      }

      @Override
      public long next(long bytesLeft) {
        return isDone ? 0 : payload.blockBytes();
      }

      @Override
      public int rows() {
        return 1;
      }

      @Override
      public MemoryBuffer encode() {
        isDone = true;
        MemoryBuffer block = allocator.allocate(payload.blockBytes());
        Memory.copy(payload.content(range.mapId()), 0, block.address(), payload.blockBytes());
        return block;
      }

      @Override
      public void close() {}
    }
  }
}
