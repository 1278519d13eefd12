package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.Closer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What of a join does not fit into memory: partitions of the build side at rest, to which all
 * threads of work add those of the probe side. When the last of these has no more input, the pairs
 * are joined, each by one thread. Thread-safe.
 */
final class SpilledPairs implements AutoCloseable {
  private final JoinKind kind;
  private final List<RestingRows> build;
  private final List<RestingRows> probe = RestingRows.partitions();
  private final long partitions;
  private final Deque<SpilledPair> pairs = new ArrayDeque<>();
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private int open;

  /**
   * Takes the build side's rows over.
   *
   * @param build by partition of the first level, owned by this from now on
   * @param partitions the partitions that are at rest, a bit each
   */
  SpilledPairs(JoinKind kind, List<RestingRows> build, long partitions) {
    this.kind = kind;
    this.build = build;
    this.partitions = partitions;
  }

  /** Returns the partitions whose probe rows belong here, a bit each. */
  long partitions() {
    return partitions;
  }

  /** Notes that a thread of work begins. */
  synchronized void begin() {
    open++;
  }

  /**
   * Notes that a thread of work has had all its input.
   *
   * @param rows its rows, which are taken out
   */
  void end(DividedRows rows) {
    synchronized (this) {
      rows.moveTo(probe);
      open--;
      if (open > 0) {
        return;
      }
      for (int i = 0; i < DividedRows.PARTITIONS; i++) {
        if ((partitions >>> i & 1) != 0) {
          addPair(new SpilledPair(build.get(i), probe.get(i)));
        }
      }
      build.clear();
      probe.clear();
    }
    ready.complete(null);
  }

  /** Returns what completes when all threads of work have had their input. */
  CompletableFuture<Void> ready() {
    return ready;
  }

  /** Adds a pair, owned by this from now on. */
  synchronized void addPair(SpilledPair pair) {
    if (pair.yieldsRows(kind)) {
      pairs.add(pair);
    } else {
      pair.close();
    }
  }

  /** Returns the next pair, owned by the caller, or null when there is none now. */
  synchronized SpilledPair poll() {
    return pairs.poll();
  }

  @Override
  public synchronized void close() {
    Closer closer = new Closer();
    build.forEach(closer::close);
    probe.forEach(closer::close);
    pairs.forEach(closer::close);
    pairs.clear();
    closer.rethrow();
  }
}
