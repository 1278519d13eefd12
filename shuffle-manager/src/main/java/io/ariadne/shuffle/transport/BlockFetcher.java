package io.ariadne.shuffle.transport;

import io.ariadne.event.Threads;
import io.ariadne.memory.MemoryPool;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

/** Fetches blocks of peers for the reduce tasks of a process. Thread-safe. */
public final class BlockFetcher implements AutoCloseable {
  private final Transport transport;
  private final MemoryPool pool;
  private final FetchLimits limits;
  private final ScheduledThreadPoolExecutor timer;

  /**
   * Creates a fetcher.
   *
   * @param name prefix of the name of its thread
   * @param transport moves the requests; not owned
   * @param pool host memory for the blocks; not owned
   * @param limits bounds of each task
   */
  public BlockFetcher(String name, Transport transport, MemoryPool pool, FetchLimits limits) {
    this.transport = transport;
    this.pool = pool;
    this.limits = limits;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1, Threads.daemons(name + "-fetch-timer"), new ThreadPoolExecutor.DiscardPolicy());
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    timer.setRemoveOnCancelPolicy(true);
  }

  /**
   * Begins to fetch the blocks of one reduce task.
   *
   * @param wanted the ranges, in the order in which each peer sends them
   * @return the blocks, closed by the caller
   */
  public RemoteBlocks open(List<WantedRange> wanted) {
    RemoteBlocks blocks = new RemoteBlocks(transport, pool, limits, timer, wanted);
    blocks.pump();
    return blocks;
  }

  /** Ends pauses: tasks that still fetch make no request again. Idempotent. */
  @Override
  public void close() {
    timer.shutdownNow();
  }
}
