package io.ariadne.shuffle.spark;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.shuffle.transport.BlockRange;
import io.ariadne.shuffle.transport.FetchFailure;
import io.ariadne.shuffle.transport.FetchStatistics;
import io.ariadne.shuffle.transport.Peer;
import io.ariadne.shuffle.transport.ReceivedBlock;
import io.ariadne.shuffle.transport.RemoteBlocks;
import io.ariadne.shuffle.transport.WantedRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Iterates over the blocks of a reduce task that other executors send. Frees what is not read when
 * the task ends. Used by the task thread.
 */
final class PeerBlocks implements Iterator<BlockInput> {
  /**
   * The rows of one map task that a peer has.
   *
   * @param peer the executor
   * @param place the rows
   * @param copyAt who has a copy if the peer has given the rows up; null for none
   */
  record Wanted(Peer peer, LocalMapOutputs.Place place, Peer copyAt) {}

  private final ShuffleTransport transport;
  private final List<Wanted> wanted;
  private final boolean hasSpark;
  private final RemoteBlocks blocks;
  private final BufferAllocator allocator;
  private final TaskContext context;
  private final ShuffleReadMetricsReporter metrics;
  private final TransferReporter transfers;
  private final ReceivedBytes bytes = new ReceivedBytes();
  private final BlockInput input = new BlockInput(bytes);

  /** The block that {@link #next} returns next; null when it is not known. */
  private ReceivedBlock following;

  private boolean isAtEnd;
  private boolean isReported;

  /**
   * Begins to fetch.
   *
   * @param wanted the rows
   * @param hasSpark whether Spark's block transfer finds the rows of an executor that this does not
   *     reach
   * @param allocator memory for decompressed blocks
   */
  PeerBlocks(
      ShuffleTransport transport,
      List<Wanted> wanted,
      boolean hasSpark,
      BufferAllocator allocator,
      TaskContext context,
      ShuffleReadMetricsReporter metrics) {
    this.transport = transport;
    this.wanted = wanted;
    this.hasSpark = hasSpark;
    this.allocator = allocator;
    this.context = context;
    this.metrics = metrics;
    this.transfers = TransferReporter.of(metrics);
    List<WantedRange> ranges = new ArrayList<>();
    for (Wanted each : wanted) {
      MapOutputRange range = each.place().range();
      ranges.add(
          new WantedRange(
              each.peer(),
              new BlockRange(
                  range.shuffleId(),
                  range.mapId(),
                  range.firstPartition(),
                  range.endPartition(),
                  0),
              each.place().bytes(),
              each.copyAt()));
      metrics.incRemoteBlocksFetched(each.place().blocks());
    }
    this.blocks = transport.open(ranges);
    context.addTaskCompletionListener((TaskCompletionListener) ended -> close());
  }

  @Override
  public boolean hasNext() {
    if (following == null && !isAtEnd) {
      long start = System.nanoTime();
      following = fetch();
      long waited = System.nanoTime() - start;
      metrics.incFetchWaitTime(TimeUnit.NANOSECONDS.toMillis(waited));
      transport.counters().waitNanos().add(waited);
      isAtEnd = following == null;
      if (isAtEnd) {
        report();
        context.taskMetrics().mergeShuffleReadMetrics();
      }
    }
    return !isAtEnd;
  }

  /** Reports what the requests have cost, once: at their end, or when the task ends before. */
  private void report() {
    if (!isReported) {
      isReported = true;
      FetchStatistics statistics = blocks.statistics();
      transfers.repeated(statistics.repeatedRequests());
      transfers.requested(statistics.openNanos());
      transfers.readBack(statistics.readBackBytes());
    }
  }

  private ReceivedBlock fetch() {
    try {
      return blocks.next(context::killTaskIfInterrupted);
    } catch (FetchFailure e) {
      LocalMapOutputs.Place place = wanted.get(e.index()).place();
      boolean isUnreachable =
          e.getCause() instanceof IOException || e.getCause() instanceof TimeoutException;
      boolean isAvoided = isUnreachable && transport.avoidIfAlive(e.peer(), e.getCause());
      if (isAvoided && hasSpark && context.attemptNumber() == 0) {
        // A fetch failure would cost all map outputs of the executor, though it has them. Later
        // attempts fail the fetch: Spark counts failed attempts, and ends the job after a few.
        throw new EngineException(
            ErrorCode.TRANSPORT,
            e.getMessage() + "; the next attempt of the task reads it by Spark's block transfer",
            e);
      }
      throw UndeclaredExceptions.raise(place.failure(e.getMessage(), e));
    } catch (InterruptedException e) {
      throw UndeclaredExceptions.raise(e);
    }
  }

  @Override
  public BlockInput next() {
    if (!hasNext()) {
      throw new NoSuchElementException("all blocks are read");
    }
    ReceivedBlock block = following;
    following = null;
    metrics.incRemoteBytesRead(block.bytes().compressedBytes());
    transfers.received(block.bytes().compressedBytes(), block.bytes().lengthInBytes());
    bytes.begin(decompress(block));
    input.begin(bytes.lengthInBytes(), wanted.get(block.index()).place().range().mapId());
    metrics.incRecordsRead(1);
    return input;
  }

  private MemoryBuffer decompress(ReceivedBlock block) {
    try {
      return block.bytes().decompress(allocator);
    } catch (EngineException e) {
      if (e.code() != ErrorCode.CORRUPT_DATA) {
        throw e;
      }
      throw UndeclaredExceptions.raise(
          wanted.get(block.index()).place().failure(e.getMessage(), e));
    }
  }

  private void close() {
    isAtEnd = true;
    report();
    Closer closer = new Closer();
    closer.close(following);
    following = null;
    closer.close(bytes);
    closer.close(blocks);
    closer.rethrow();
  }
}
