package io.ariadne.shuffle.strategy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.event.RoundFailures;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.transport.BlockSource;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.RemoteBlocks;
import io.ariadne.shuffle.transport.WantedRange;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies map outputs into batches that are ordered by partition, on a thread of its own: those of
 * this executor, and those that other executors have for the partitions that this one owns. The
 * receiver fetches what it merges, within its own memory, so an executor with much to send cannot
 * overrun another. What is not merged when reduce tasks begin stays where it is. Thread-safe.
 *
 * <pre>
 *   map task commits ----> owner: COMMITTED, sizes
 *                          owner fetches blocks, merges, commits
 *   releases the rows <--- MERGED                       (move only)
 *   shuffle is dropped --> owner: FORGOTTEN             (an owner may have dropped it before)
 * </pre>
 */
public final class MapOutputMerger implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MapOutputMerger.class);
  private static final int MAX_FORGOTTEN = OutputNotice.MAX_BYTES / Long.BYTES / 2;

  /** Tells other executors about map outputs, and fetches theirs. */
  public interface Peers {
    /** Returns Spark's id of this executor. */
    String self();

    /**
     * Returns where an executor serves its blocks; may ask Spark's driver, and the executor. Empty
     * when it does not answer.
     */
    Optional<Peer> find(String executor);

    /** Begins to fetch blocks. */
    RemoteBlocks open(List<WantedRange> wanted);

    /** Sends a message that needs no answer; a failure is only logged. */
    void tell(Peer peer, ByteBuffer message);
  }

  private final String name;
  private final MapOutputs outputs;
  private final Peers peers;
  private final MergeQueue queue;
  private final RoundFailures failures = new RoundFailures(LOG, "map outputs are not merged");
  private final MergeRounds rounds;

  /** Null until there is something to do. */
  @GuardedBy("this")
  private Thread thread;

  @GuardedBy("this")
  private boolean isClosed;

  /**
   * Creates a merger, whose thread begins when there is something to merge.
   *
   * @param name prefix of the thread's name
   * @param outputs the map outputs of this executor
   * @param own the same, encoded
   * @param peers the other executors
   */
  public MapOutputMerger(String name, MapOutputs outputs, BlockSource own, Peers peers) {
    this.name = name;
    this.outputs = outputs;
    this.peers = peers;
    this.queue = new MergeQueue(outputs.capacityInBytes());
    this.rounds = new MergeRounds(outputs, own, peers, queue, failures);
  }

  /** Returns the bytes of blocks that were merged since the start. */
  public long mergedBytes() {
    return rounds.mergedBytes();
  }

  /**
   * Notes that a map task of this executor has committed its output. May ask Spark's driver for the
   * owners of partitions, once each.
   *
   * @param plan what is done with it; copies it
   * @param sizes about how many bytes each partition has; 0 only for none
   */
  public void committed(StrategyPlan plan, int shuffleId, long mapId, long[] sizes) {
    if (!outputs.has(shuffleId, mapId)) {
      return; // the shuffle was dropped meanwhile
    }
    queue.plan(plan, shuffleId);
    boolean drops = plan.strategy().dropsOutputs();
    if (!plan.strategy().sendsToOwners()) {
      add(MergeJob.own(shuffleId, mapId, 0, sizes.length, sizes, drops));
      return;
    }
    PartitionOwners owners = plan.owners();
    for (int i = 0; i < owners.executors().size(); i++) {
      String owner = owners.executors().get(i).id();
      MergeJob job =
          MergeJob.own(shuffleId, mapId, owners.first(i), owners.first(i + 1), sizes, drops);
      if (job.bytes() == 0) {
        continue;
      }
      if (owner.equals(peers.self())) {
        add(job);
      } else {
        announce(owner, job);
      }
    }
  }

  private void announce(String owner, MergeJob job) {
    OutputNotice notice =
        new OutputNotice(
            OutputNotice.Kind.COMMITTED,
            peers.self(),
            job.shuffleId(),
            new long[] {job.mapId()},
            job.first(),
            job.end(),
            job.sizes(),
            job.drops());
    if (notice.encodedBytes() <= OutputNotice.MAX_BYTES) {
      Optional<Peer> peer = peers.find(owner);
      if (peer.isPresent()) {
        queue.announce(owner, job.shuffleId(), job.mapId());
        peers.tell(peer.get(), notice.encoded());
      }
    }
  }

  private void add(MergeJob job) {
    queue.add(job);
    startThread();
  }

  private synchronized void startThread() {
    if (thread == null && !isClosed) {
      thread = Threads.daemon(name + "-merge", this::work);
      thread.start();
    }
  }

  /** Returns whether a message of a peer is for this object. */
  public static boolean isNotice(ByteBuffer message) {
    return OutputNotice.isNotice(message);
  }

  /**
   * Takes a message of a peer. Never blocks.
   *
   * @param message not trusted
   * @throws io.ariadne.error.EngineException TRANSPORT when it is not valid
   */
  public void handle(ByteBuffer message) {
    OutputNotice notice = OutputNotice.decode(message);
    if (notice.kind() == OutputNotice.Kind.COMMITTED) {
      queue.add(notice.job());
    } else {
      queue.add(notice);
    }
    startThread();
  }

  /**
   * Notes that reduce tasks begin to read a shuffle here: what is still to be merged would be
   * fetched twice.
   */
  public void reading(int shuffleId) {
    queue.read(shuffleId);
  }

  /** Forgets a shuffle that this executor has dropped, and tells its owners. */
  public void dropped(int shuffleId) {
    MergeQueue.Summary summary = queue.drop(shuffleId);
    if (summary == null) {
      return;
    }
    log(shuffleId, summary);
    summary.announced().forEach((owner, mapIds) -> forget(owner, shuffleId, List.copyOf(mapIds)));
  }

  private static void log(int shuffleId, MergeQueue.Summary summary) {
    if (summary.mergedBytes() + summary.tooLongBytes() > 0) {
      LOG.info(
          "shuffle {}: {} bytes of map outputs merged here in {} rounds ({}); {} bytes not merged,"
              + " because a map output had too many of them",
          shuffleId,
          summary.mergedBytes(),
          summary.rounds(),
          summary.reason(),
          summary.tooLongBytes());
    }
  }

  private void forget(String owner, int shuffleId, List<Long> mapIds) {
    Optional<Peer> peer = peers.find(owner);
    for (int from = 0; peer.isPresent() && from < mapIds.size(); from += MAX_FORGOTTEN) {
      List<Long> some = mapIds.subList(from, Math.min(mapIds.size(), from + MAX_FORGOTTEN));
      OutputNotice notice =
          OutputNotice.of(OutputNotice.Kind.FORGOTTEN, peers.self(), shuffleId, some, 0, 0);
      peers.tell(peer.get(), notice.encoded());
    }
  }

  private void work() {
    // Tasks whose memory this could wait for may wait for rows that this thread holds.
    ThreadRecord.current().mayWait(false);
    try {
      for (MergeQueue.Step step = queue.next(); step != null; step = queue.next()) {
        perform(step);
      }
    } catch (InterruptedException e) {
      // Closed.
      Thread.currentThread().interrupt();
    }
  }

  private void perform(MergeQueue.Step step) {
    try {
      if (step.notice() != null) {
        obey(step.notice());
      } else {
        rounds.merge(step.round());
      }
    } catch (InterruptedException e) {
      // Closed, or the watchdog has broken a wait off: then the rows stay where they are.
      failures.failed(e);
    } catch (RuntimeException | Error e) {
      failures.failed(e);
    }
  }

  private void obey(OutputNotice notice) {
    List<Long> mapIds = Arrays.stream(notice.mapIds()).boxed().toList();
    if (notice.kind() == OutputNotice.Kind.FORGOTTEN) {
      queue.forget(notice.shuffleId(), mapIds);
      outputs.forgetMerged(notice.shuffleId(), mapIds);
      return;
    }
    for (long mapId : queue.movedTo(notice.executor(), notice.shuffleId(), mapIds)) {
      try {
        outputs.release(notice.shuffleId(), mapId, notice.first(), notice.end());
      } catch (IndexOutOfBoundsException e) {
        LOG.warn("executor {} has merged partitions that do not exist", notice.executor(), e);
      }
    }
  }

  /** Ends the thread: what is not merged stays where it is. Idempotent. */
  @Override
  public void close() {
    queue.close();
    Thread ended;
    synchronized (this) {
      isClosed = true;
      ended = thread;
    }
    if (ended != null) {
      ended.interrupt();
      Threads.join(ended);
    }
    queue.dropAll().forEach(MapOutputMerger::log);
  }
}
