package io.ariadne.benchmark.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.netty.NettyBlockTransferService;
import org.apache.spark.network.shuffle.BlockFetchingListener;

/**
 * Fetches blocks by Spark's block transfer as Spark's {@code ShuffleBlockFetcherIterator} does:
 * with requests of a fifth of the bytes in flight. Copies them to memory of its own, because those
 * of the network library are pooled and limited.
 */
final class SparkReceiver implements TransferReceiver {
  private static final long IN_FLIGHT_BYTES = 48L << 20;
  private static final int REQUESTS = 5;

  private final NettyBlockTransferService service;

  SparkReceiver(String host) {
    service =
        SparkParts.transfer(
            host,
            id -> {
              throw new IllegalStateException("the receiver serves no blocks");
            });
  }

  private record Request(int source, String[] blocks) {}

  private record Arrived(Request request, ManagedBuffer bytes, Throwable failure) {}

  /** Copies the blocks of one request for the fetching thread, which counts them. */
  private record Listener(Request request, LinkedBlockingQueue<Arrived> arrived)
      implements BlockFetchingListener {
    @Override
    public void onBlockFetchSuccess(String block, ManagedBuffer bytes) {
      arrived.add(new Arrived(request, bytes.retain(), null));
    }

    @Override
    public void onBlockFetchFailure(String block, Throwable failure) {
      arrived.add(new Arrived(request, null, failure));
    }
  }

  @Override
  public long[] fetch(List<Source> sources, int blocks, int blockBytes)
      throws IOException, InterruptedException {
    Deque<Request> requests = requests(sources.size(), blocks, blockBytes);
    ByteBuffer target = ByteBuffer.allocateDirect(blockBytes);
    LinkedBlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();
    long[] ends = new long[sources.size()];
    long start = System.nanoTime();
    long inFlight = 0;
    for (int left = sources.size() * blocks; left > 0; left--) {
      while (!requests.isEmpty()
          && inFlight + (long) requests.peek().blocks().length * blockBytes <= IN_FLIGHT_BYTES) {
        Request request = requests.poll();
        inFlight += (long) request.blocks().length * blockBytes;
        Source source = sources.get(request.source());
        service.fetchBlocks(
            source.host(),
            source.port(),
            "sender",
            request.blocks(),
            new Listener(request, arrived),
            null);
      }
      Arrived block = arrived.take();
      if (block.failure() != null) {
        throw new IOException("a block did not arrive", block.failure());
      }
      target.clear().put(block.bytes().nioByteBuffer());
      var unused = block.bytes().release();
      inFlight -= blockBytes;
      ends[block.request().source()] = System.nanoTime() - start;
    }
    return ends;
  }

  /** Returns requests, the sources one after another. */
  private static Deque<Request> requests(int sources, int blocks, int blockBytes) {
    int blocksPerRequest = (int) Math.max(1, IN_FLIGHT_BYTES / REQUESTS / blockBytes);
    Deque<Request> requests = new ArrayDeque<>();
    for (int first = 0; first < blocks; first += blocksPerRequest) {
      for (int source = 0; source < sources; source++) {
        List<String> ids = new ArrayList<>();
        for (int i = first; i < Math.min(blocks, first + blocksPerRequest); i++) {
          ids.add("shuffle_0_" + i + "_0");
        }
        requests.add(new Request(source, ids.toArray(String[]::new)));
      }
    }
    return requests;
  }

  @Override
  public void close() {
    service.close();
  }
}
