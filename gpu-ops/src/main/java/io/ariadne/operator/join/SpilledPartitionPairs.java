package io.ariadne.operator.join;

import io.ariadne.columnar.buffer.Closer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * The part of a join that does not fit memory: spilled partitions of the build side, to which all
 * pipeline drivers add those of the probe side. When the last driver has no more input, the pairs
 * are joined, each by one driver. A driver that gets no pair is blocked while another driver may
 * partition its pair again or has the memory for the next pair. Thread-safe.
 */
final class SpilledPartitionPairs implements AutoCloseable {
  private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

  private final JoinKind kind;
  private final List<SpilledPartition> build;
  private final List<SpilledPartition> probe = SpilledPartition.partitions();
  private final long partitions;
  private final Account account;
  private final Deque<SpilledPartitionPair> pairs = new ArrayDeque<>();

  /** Completes, and is replaced, when a blocked driver may find something to do. */
  private CompletableFuture<Void> changed = new CompletableFuture<>();

  private int open;
  private boolean isReady;
  private int shares;
  private long sharedBytes;

  /**
   * Bounds the memory of all pairs that drivers work on at once.
   *
   * @param mostBytes bytes of all pairs together; a single pair may have more
   * @param bytesOf estimates the bytes of work on a pair
   */
  record Account(long mostBytes, ToLongFunction<SpilledPartitionPair> bytesOf) {}

  /**
   * A pair that a driver has taken.
   *
   * @param pair owned by the driver
   * @param bytes bytes of memory it may take
   */
  record Share(SpilledPartitionPair pair, long bytes) {}

  /**
   * Takes ownership of the build side's partitions.
   *
   * @param build by partition of the first level, ownership passes to this object
   * @param partitions the spilled partitions, a bit each
   * @param account bounds the memory
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

  /** Registers a driver. */
  synchronized void begin() {
    open++;
  }

  /**
   * Says that a driver has no more input.
   *
   * @param rows moves the driver's rows into the partitions that all drivers share
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

  /** Adds a pair, ownership passes to this object. */
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
      pair.build().prefetch();
      pair.probe().prefetch();
      return true;
    }
    pair.close();
    return false;
  }

  /**
   * Replaces the future and returns the former one, to be completed without the lock: its
   * dependents may run at once.
   */
  private CompletableFuture<Void> change() {
    CompletableFuture<Void> before = changed;
    changed = new CompletableFuture<>();
    return before;
  }

  /** Returns the next pair, which the caller gives {@link #back}; null when there is none now. */
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

  /**
   * Returns whether there is a pair and memory for it; a pair that is alone may take any amount.
   */
  private boolean mayTake() {
    return isReady
        && !pairs.isEmpty()
        && (shares == 0
            || sharedBytes + account.bytesOf().applyAsLong(pairs.element()) <= account.mostBytes());
  }

  /** Says that a pair is joined or partitioned and its memory is free. */
  void back(Share share) {
    CompletableFuture<Void> before;
    synchronized (this) {
      shares--;
      sharedBytes -= share.bytes();
      before = change();
    }
    before.complete(null);
  }

  /** Returns whether there are no more pairs and no driver has one that it may partition. */
  synchronized boolean isOver() {
    return isReady && pairs.isEmpty() && shares == 0;
  }

  /**
   * Returns a future that completes when {@link #take} may yield a pair or all {@link #isOver is
   * over}.
   */
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
