package io.ariadne.shuffle.transport;

import io.ariadne.event.Threads;
import io.ariadne.memory.MemoryPool;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Fetches blocks of peers for the reduce tasks of a process. Thread-safe. */
public final class BlockFetcher implements AutoCloseable {
  private final Transport transport;
  private final MemoryPool pool;
  private final FetchLimits limits;
  private final PeerRegistry registry;
  private final TransportCounters counters;
  private final ScheduledThreadPoolExecutor timer;

  /** Asks the registry, which blocks. */
  private final ExecutorService asking;

  /** Peers that the registry is asked about now. */
  private final Set<Peer> asked = ConcurrentHashMap.newKeySet();

  /**
   * Creates a fetcher.
   *
   * @param name prefix of the name of its thread
   * @param transport moves the requests; not owned
   * @param pool host memory for the blocks; not owned
   * @param limits bounds of each task
   * @param registry tells which peers are alive
   * @param counters counts what is received
   */
  public BlockFetcher(
      String name,
      Transport transport,
      MemoryPool pool,
      FetchLimits limits,
      PeerRegistry registry,
      TransportCounters counters) {
    this.transport = transport;
    this.pool = pool;
    this.limits = limits;
    this.registry = registry;
    this.counters = counters;
    this.asking = Executors.newSingleThreadExecutor(Threads.daemons(name + "-registry"));
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
    RemoteBlocks blocks = new RemoteBlocks(this, wanted);
    blocks.pump();
    return blocks;
  }

  Transport transport() {
    return transport;
  }

  MemoryPool pool() {
    return pool;
  }

  FetchLimits limits() {
    return limits;
  }

  TransportCounters counters() {
    return counters;
  }

  /** Runs a short step later, unless this is closed before. */
  void later(Runnable step, long millis) {
    var unused = timer.schedule(step, millis, TimeUnit.MILLISECONDS);
  }

  /**
   * Does something when a peer is known to have ended. A question that is under way is not asked
   * twice: the caller asks again after its next failure.
   */
  void whenDead(Peer peer, Runnable action) {
    try {
      if (asked.add(peer)) {
        asking.execute(() -> ask(peer, action));
      }
    } catch (RejectedExecutionException e) {
      // Closed: the tasks end anyway.
    }
  }

  private void ask(Peer peer, Runnable action) {
    try {
      // Asked after each failure: Spark forgets live executors for a while after fetch failures.
      if (!registry.isAlive(peer.executor())) {
        action.run();
      }
    } finally {
      asked.remove(peer);
    }
  }

  /** Ends pauses: tasks that still fetch make no request again. Idempotent. */
  @Override
  public void close() {
    timer.shutdownNow();
    asking.shutdownNow();
  }
}
