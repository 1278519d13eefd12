package io.ariadne.benchmark.transfer;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.shuffle.transport.BlockFetcher;
import io.ariadne.shuffle.transport.BlockRange;
import io.ariadne.shuffle.transport.FetchLimits;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.PeerRegistry;
import io.ariadne.shuffle.transport.ReceivedBlock;
import io.ariadne.shuffle.transport.RemoteBlocks;
import io.ariadne.shuffle.transport.Transport;
import io.ariadne.shuffle.transport.TransportCounters;
import io.ariadne.shuffle.transport.WantedRange;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Fetches blocks by Ariadne's transport, within the limits that a reduce task has by default. */
final class AriadneReceiver implements TransferReceiver {
  private static final long POOL_BYTES = 512L << 20;
  private static final FetchLimits LIMITS =
      new FetchLimits(48L << 20, 1 << 20, 3, 0, Duration.ofSeconds(1), Duration.ofMinutes(2));

  private final MemoryPool pool = MemoryPools.host("receiver", POOL_BYTES, false);
  private final Transport transport;
  private final BlockFetcher fetcher;

  AriadneReceiver(String host, boolean isUcx) {
    transport = AriadneSender.start("receiver", host, pool, new NoRequests(), isUcx);
    fetcher =
        new BlockFetcher(
            "receiver", transport, pool, LIMITS, new NoRegistry(), new TransportCounters());
  }

  /** Knows nothing of executors. */
  private static final class NoRegistry implements PeerRegistry {
    @Override
    public Optional<Peer> find(String executor) {
      return Optional.empty();
    }

    @Override
    public boolean isAlive(String executor) {
      return true;
    }
  }

  private static final class NoRequests implements Transport.Handler {
    @Override
    public void handle(ByteBuffer request, Transport.Responder responder) {
      throw new IllegalStateException("the receiver serves no blocks");
    }

    @Override
    public void disconnected(Object connection) {}
  }

  @Override
  public long[] fetch(List<Source> sources, int blocks, int blockBytes)
      throws InterruptedException {
    List<WantedRange> wanted = new ArrayList<>();
    for (Source source : sources) {
      Peer peer = new Peer(source.toString(), source.host(), source.port());
      for (int i = 0; i < blocks; i++) {
        wanted.add(new WantedRange(peer, new BlockRange(0, i, 0, 1, 0), blockBytes));
      }
    }
    long start = System.nanoTime();
    long[] ends = new long[sources.size()];
    int count = 0;
    try (RemoteBlocks remote = fetcher.open(wanted)) {
      for (ReceivedBlock block = remote.next(() -> {});
          block != null;
          block = remote.next(() -> {})) {
        try (MemoryBuffer plain = block.bytes().decompress(pool)) {
          count += plain.lengthInBytes() == blockBytes ? 1 : 0;
        }
        ends[block.index() / blocks] = System.nanoTime() - start;
      }
    }
    if (count != wanted.size()) {
      throw new IllegalStateException(count + " of " + wanted.size() + " blocks arrived");
    }
    return ends;
  }

  @Override
  public void close() {
    fetcher.close();
    transport.close();
    pool.close();
  }
}
