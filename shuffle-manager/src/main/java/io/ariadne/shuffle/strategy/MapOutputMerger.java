package io.ariadne.shuffle.strategy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.event.RoundFailures;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Threads;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.catalog.MergeRound;
import io.ariadne.shuffle.transport.BlockRange;
import io.ariadne.shuffle.transport.BlockSource;
import io.ariadne.shuffle.transport.FetchFailure;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.ReceivedBlock;
import io.ariadne.shuffle.transport.RemoteBlocks;
import io.ariadne.shuffle.transport.WantedRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
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
  private static final int[] NO_SIZES = {};

  /** Bytes of a block of this executor: reduce tasks elsewhere ask for replies of that size. */
  private static final long OWN_BLOCK_BYTES = 1 << 20;

  /** Tells other executors about map outputs, and fetches theirs. */
  public interface Peers {
    /** Returns Spark's id of this executor. */
    String self();

    /** Returns where an executor serves its blocks; may ask Spark's driver. */
    Optional<Peer> find(String executor);

    /** Begins to fetch blocks. */
    RemoteBlocks open(List<WantedRange> wanted);

    /** Sends a message that needs no answer; a failure is only logged. */
    void tell(Peer peer, ByteBuffer message);
  }

  private final String name;
  private final MapOutputs outputs;
  private final BlockSource own;
  private final Peers peers;
  private final MergeQueue queue;
  private final RoundFailures failures = new RoundFailures(LOG, "map outputs are not merged");
  private final LongAdder mergedBytes = new LongAdder();

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
    this.own = own;
    this.peers = peers;
    this.queue = new MergeQueue(outputs.capacityInBytes());
  }

  /** Returns the bytes of blocks that were merged since the start. */
  public long mergedBytes() {
    return mergedBytes.sum();
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
    if (summary.mergedBytes() > 0) {
      LOG.info(
          "shuffle {}: {} bytes of map outputs merged here in {} rounds ({})",
          shuffleId,
          summary.mergedBytes(),
          summary.rounds(),
          reason(summary));
    }
  }

  private static Object reason(MergeQueue.Summary summary) {
    return summary.plan() == null ? "of other executors" : summary.plan();
  }

  private void forget(String owner, int shuffleId, List<Long> mapIds) {
    Optional<Peer> peer = peers.find(owner);
    for (int from = 0; peer.isPresent() && from < mapIds.size(); from += MAX_FORGOTTEN) {
      List<Long> some = mapIds.subList(from, Math.min(mapIds.size(), from + MAX_FORGOTTEN));
      OutputNotice notice = notice(OutputNotice.Kind.FORGOTTEN, shuffleId, some, 0, 0);
      peers.tell(peer.get(), notice.encoded());
    }
  }

  private OutputNotice notice(
      OutputNotice.Kind kind, int shuffleId, List<Long> mapIds, int first, int end) {
    long[] ids = mapIds.stream().mapToLong(id -> id).toArray();
    return new OutputNotice(kind, peers.self(), shuffleId, ids, first, end, NO_SIZES, false);
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
        merge(step.round());
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

  private void merge(List<MergeJob> jobs) throws InterruptedException {
    MergeJob like = jobs.get(0);
    Map<Long, MergeJob> wanted = new LinkedHashMap<>();
    for (MergeJob job : jobs) {
      if (!outputs.isMerged(job.shuffleId(), job.mapId(), job.first(), job.end())) {
        wanted.put(job.mapId(), job);
      }
    }
    Map<String, Peer> found = findPeers(wanted.values());
    wanted.values().removeIf(job -> !job.isOwn() && !found.containsKey(job.executor()));
    List<WantedRange> ranges = rangesOfPeers(wanted.values(), found);
    try (MergeRound round = outputs.beginMerge(like.shuffleId())) {
      addOfPeers(round, ranges);
      wanted.values().removeIf(job -> job.isOwn() && !addOwn(round, job));
      if (!wanted.isEmpty() && round.commit(wanted.keySet(), like.first(), like.end())) {
        MergeQueue.Summary sum = queue.merged(like.shuffleId(), round.sizeInBytes());
        if (sum != null && sum.rounds() == 1) {
          LOG.info("shuffle {}: map outputs are merged here ({})", like.shuffleId(), reason(sum));
        }
        mergedBytes.add(round.sizeInBytes());
        failures.succeeded();
        release(wanted.values(), found);
      }
    } catch (FetchFailure e) {
      failures.failed(e);
      mergeWithout(jobs, e, ranges.get(e.index()).range().mapId());
    }
  }

  /** Merges later what can be had: without a map output that is gone, or a peer that is lost. */
  private void mergeWithout(List<MergeJob> jobs, FetchFailure failure, long mapId) {
    String lost = failure.getCause() == null ? null : failure.peer().executor();
    if (lost != null) {
      queue.removeOf(lost);
    }
    jobs.stream()
        .filter(job -> job.mapId() != mapId && (lost == null || !lost.equals(job.executor())))
        .forEach(queue::add);
  }

  private Map<String, Peer> findPeers(Collection<MergeJob> jobs) {
    Map<String, Peer> found = new HashMap<>();
    jobs.stream()
        .filter(job -> !job.isOwn())
        .map(MergeJob::executor)
        .distinct()
        .forEach(id -> peers.find(id).ifPresent(peer -> found.put(id, peer)));
    return found;
  }

  private static List<WantedRange> rangesOfPeers(
      Collection<MergeJob> jobs, Map<String, Peer> found) {
    List<WantedRange> wanted = new ArrayList<>();
    for (MergeJob job : jobs) {
      for (int p = job.first(); p < job.end() && !job.isOwn(); p++) {
        if (job.sizeOf(p) > 0) {
          BlockRange range = BlockRange.toCopy(job.shuffleId(), job.mapId(), p);
          wanted.add(new WantedRange(found.get(job.executor()), range, job.sizeOf(p)));
        }
      }
    }
    return wanted;
  }

  private void addOfPeers(MergeRound round, List<WantedRange> wanted) throws InterruptedException {
    if (wanted.isEmpty()) {
      return;
    }
    try (RemoteBlocks blocks = peers.open(wanted)) {
      for (ReceivedBlock block = next(blocks); block != null; block = next(blocks)) {
        BlockRange range = wanted.get(block.index()).range();
        MemoryBuffer bytes = block.bytes().decompress(round.allocator());
        round.add(range.firstPartition(), range.mapId(), block.rows(), bytes);
      }
    }
  }

  private static ReceivedBlock next(RemoteBlocks blocks) throws InterruptedException {
    return blocks.next(() -> {});
  }

  /** Adds the blocks of a map output of this executor; returns whether it has them all. */
  private boolean addOwn(MergeRound round, MergeJob job) {
    for (int partition = job.first(); partition < job.end(); partition++) {
      if (job.sizeOf(partition) > 0 && !addOwn(round, job, partition)) {
        return false;
      }
    }
    return true;
  }

  private boolean addOwn(MergeRound round, MergeJob job, int partition) {
    BlockRange range = BlockRange.toCopy(job.shuffleId(), job.mapId(), partition);
    try (BlockSource.Blocks blocks = own.open(range, OWN_BLOCK_BYTES)) {
      while (blocks != null && blocks.next(OWN_BLOCK_BYTES) > 0) {
        int rows = blocks.rows();
        round.add(partition, job.mapId(), rows, blocks.encode());
      }
      return blocks != null;
    }
  }

  private void release(Collection<MergeJob> jobs, Map<String, Peer> found) {
    Map<String, List<Long>> ofPeers = new HashMap<>();
    MergeJob like = null;
    for (MergeJob job : jobs) {
      like = job;
      if (job.drops() && job.isOwn()) {
        outputs.release(job.shuffleId(), job.mapId(), job.first(), job.end());
      } else if (job.drops()) {
        ofPeers.computeIfAbsent(job.executor(), id -> new ArrayList<>()).add(job.mapId());
      }
    }
    for (Map.Entry<String, List<Long>> entry : ofPeers.entrySet()) {
      OutputNotice notice =
          notice(
              OutputNotice.Kind.MERGED,
              like.shuffleId(),
              entry.getValue(),
              like.first(),
              like.end());
      peers.tell(found.get(entry.getKey()), notice.encoded());
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
