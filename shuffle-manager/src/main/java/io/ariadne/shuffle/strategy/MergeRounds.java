package io.ariadne.shuffle.strategy;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.event.EventKind;
import io.ariadne.event.RoundFailures;
import io.ariadne.event.ThreadRecord;
import io.ariadne.shuffle.catalog.MapOutputs;
import io.ariadne.shuffle.catalog.MergeRound;
import io.ariadne.shuffle.transport.BlockRange;
import io.ariadne.shuffle.transport.BlockSource;
import io.ariadne.shuffle.transport.FetchFailure;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.ReceivedBlock;
import io.ariadne.shuffle.transport.RemoteBlocks;
import io.ariadne.shuffle.transport.WantedRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rounds of a {@link MapOutputMerger}: each gathers blocks of this executor and of others,
 * commits them, and has the rows released that are to move. Used by the merger's thread.
 */
final class MergeRounds {
  private static final Logger LOG = LoggerFactory.getLogger(MergeRounds.class);

  /** Bytes of a block of this executor: reduce tasks elsewhere ask for replies of that size. */
  private static final long OWN_BLOCK_BYTES = 1 << 20;

  private final MapOutputs outputs;
  private final BlockSource own;
  private final MapOutputMerger.Peers peers;
  private final MergeQueue queue;
  private final RoundFailures failures;
  private final LongAdder mergedBytes = new LongAdder();

  /**
   * Creates the rounds of a merger.
   *
   * @param outputs the map outputs of this executor
   * @param own the same, encoded
   * @param peers the other executors
   * @param queue takes jobs that are to be done again
   * @param failures logs rounds that have failed
   */
  MergeRounds(
      MapOutputs outputs,
      BlockSource own,
      MapOutputMerger.Peers peers,
      MergeQueue queue,
      RoundFailures failures) {
    this.outputs = outputs;
    this.own = own;
    this.peers = peers;
    this.queue = queue;
    this.failures = failures;
  }

  /** Returns the bytes of blocks that were merged since the start. Any thread may call this. */
  long mergedBytes() {
    return mergedBytes.sum();
  }

  /**
   * Merges the rows of some jobs. A job without its rows, or whose executor does not answer, is
   * left out: its rows stay where they are.
   *
   * @param jobs of the same partitions of a shuffle
   */
  void merge(List<MergeJob> jobs) throws InterruptedException {
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
    long start = System.nanoTime();
    try (MergeRound round = outputs.beginMerge(like.shuffleId())) {
      addOfPeers(round, ranges);
      wanted.values().removeIf(job -> job.isOwn() && !addOwn(round, job));
      if (!wanted.isEmpty() && round.commit(wanted.keySet(), like.first(), like.end())) {
        MergeQueue.Summary sum = queue.merged(like.shuffleId(), round.sizeInBytes());
        if (sum != null && sum.rounds() == 1) {
          LOG.info("shuffle {}: map outputs are merged here ({})", like.shuffleId(), sum.reason());
        }
        mergedBytes.add(round.sizeInBytes());
        ThreadRecord.current()
            .ended(EventKind.MERGE, start, round.sizeInBytes(), null, MemoryTier.HOST);
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
          OutputNotice.of(
              OutputNotice.Kind.MERGED,
              peers.self(),
              like.shuffleId(),
              entry.getValue(),
              like.first(),
              like.end());
      peers.tell(found.get(entry.getKey()), notice.encoded());
    }
  }
}
