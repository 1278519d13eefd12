package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.Closer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * What of a join does not fit into memory: partitions of the build side at rest, to which all
 * threads of work add those of the probe side. When the last of these has no more input, the pairs
 * are joined, each by one thread. A thread that finds none waits while others may still divide
 * theirs, or have the memory for the next one. Thread-safe.
 */
final class SpilledPartitionPairs implements AutoCloseable {
  private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

  private final JoinKind kind;
  private final List<SpilledPartition> build;
  private final List<SpilledPartition> probe = SpilledPartition.partitions();
  private final long partitions;
  private final Account account;
  private final Deque<SpilledPartitionPair> pairs = new ArrayDeque<>();

  /** Completes, and is replaced, when a thread that waits may find something else. */
  private CompletableFuture<Void> changed = new CompletableFuture<>();

  private int open;
  private boolean isReady;
  private int shares;
  private long sharedBytes;

  /**
   * How much of the pairs is in memory at once, in all threads of work together.
   *
   * @param mostBytes bytes, but for a pair that is alone
   * @param bytesOf what the work on a pair takes, about
   */
  record Account(long mostBytes, ToLongFunction<SpilledPartitionPair> bytesOf) {}

  /**
   * A pair that a thread of work has taken.
   *
   * @param pair the thread's
   * @param bytes what it may take in memory
   */
  record Share(SpilledPartitionPair pair, long bytes) {}

  /**
   * Takes the build side's rows over.
   *
   * @param build by partition of the first level, owned by this from now on
   * @param partitions the partitions that are at rest, a bit each
   * @param account how much is in memory
   */
  SpilledPartitionPairs(
      JoinKind kind, List<SpilledPartition> build, long partitions, Account account) {
    this.kind = kind;
    this.build = build;
    this.partitions = partitions;
    this.account = account;
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
   * @param rows moves its rows to those of the others, by partition
   */
  void end(Consumer<List<SpilledPartition>> rows) {
    CompletableFuture<Void> before;
    synchronized (this) {
      rows.accept(probe);
      open--;
      if (open > 0) {
        return;
      }
      isReady = true;
      for (int i = 0; i < HashPartitioner.PARTITIONS; i++) {
        if ((partitions >>> i & 1) != 0) {
          add(new SpilledPartitionPair(build.get(i), probe.get(i)));
        }
      }
      build.clear();
      probe.clear();
      before = change();
    }
    before.complete(null);
  }

  /** Adds a pair, owned by this from now on. */
  void addPair(SpilledPartitionPair pair) {
    CompletableFuture<Void> before;
    synchronized (this) {
      if (!add(pair)) {
        return;
      }
      before = change();
    }
    before.complete(null);
  }

  private boolean add(SpilledPartitionPair pair) {
    if (pair.yieldsRows(kind)) {
      pairs.add(pair);
      return true;
    }
    pair.close();
    return false;
  }

  /** Returns what to complete, without the lock: what waits for it may run at once. */
  private CompletableFuture<Void> change() {
    CompletableFuture<Void> before = changed;
    changed = new CompletableFuture<>();
    return before;
  }

  /** Returns the next pair, to be given {@link #back}, or null when there is none now. */
  synchronized Share take() {
    if (!mayTake()) {
      return null;
    }
    SpilledPartitionPair pair = pairs.remove();
    Share share = new Share(pair, account.bytesOf().applyAsLong(pair));
    shares++;
    sharedBytes += share.bytes();
    return share;
  }

  /** Returns whether there is a pair, and memory for it: what one alone takes it may have. */
  private boolean mayTake() {
    return isReady
        && !pairs.isEmpty()
        && (shares == 0
            || sharedBytes + account.bytesOf().applyAsLong(pairs.element()) <= account.mostBytes());
  }

  /** Notes that a pair is joined or divided, and what that took is free. */
  void back(Share share) {
    CompletableFuture<Void> before;
    synchronized (this) {
      shares--;
      sharedBytes -= share.bytes();
      before = change();
    }
    before.complete(null);
  }

  /** Returns whether there are no more pairs, and nobody has one who may divide it. */
  synchronized boolean isOver() {
    return isReady && pairs.isEmpty() && shares == 0;
  }

  /** Returns what completes when {@link #take} yields a pair or all {@link #isOver is over}. */
  synchronized CompletableFuture<Void> more() {
    return mayTake() || isOver() ? NOW : changed;
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
