package io.ariadne.shuffle.spark;

import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeService;
import io.ariadne.memory.MemoryPool;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.strategy.MapOutputMerger;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.RemoteBlocks;
import io.ariadne.shuffle.transport.WantedRange;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkEnv;

/** Owns the {@link MapOutputMerger} of a runtime. Thread-safe. */
final class OutputMerging implements RuntimeService {
  private final MapOutputMerger merger;
  private final MemoryPool pool;

  private OutputMerging(ExecutorRuntime runtime) {
    MapOutputs outputs = MapOutputs.of(runtime);
    this.pool = runtime.pool().newChild("merged-blocks", Long.MAX_VALUE);
    this.merger =
        new MapOutputMerger(
            "ariadne-shuffle", outputs, new MapOutputSource(outputs, pool), new Peers(runtime));
  }

  /**
   * Returns the merger of a runtime.
   *
   * @param runtime its owner
   */
  static MapOutputMerger of(ExecutorRuntime runtime) {
    MapOutputs.of(runtime);
    return runtime.service(OutputMerging.class, (pool, spill) -> new OutputMerging(runtime)).merger;
  }

  /**
   * The other executors, as the transport knows them.
   *
   * @param runtime the owner of the transport
   */
  private record Peers(ExecutorRuntime runtime) implements MapOutputMerger.Peers {
    @Override
    public String self() {
      return SparkEnv.get().executorId();
    }

    @Override
    public Optional<Peer> find(String executor) {
      return Optional.ofNullable(
          ShuffleTransport.of(runtime).meet(List.of(executor), false).get(executor));
    }

    @Override
    public RemoteBlocks open(List<WantedRange> wanted) {
      return ShuffleTransport.of(runtime).open(wanted);
    }

    @Override
    public void tell(Peer peer, ByteBuffer message) {
      ShuffleTransport.of(runtime).tell(peer, message);
    }
  }

  @Override
  public void stop() {
    merger.close();
  }

  @Override
  public void close() {
    merger.close();
    pool.close();
  }
}
