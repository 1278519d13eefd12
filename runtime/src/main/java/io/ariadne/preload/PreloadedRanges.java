package io.ariadne.preload;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.PrefetchedRanges;
import io.ariadne.io.WantedRange;
import io.ariadne.preload.RangeRequest.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;

/** The ranges of one file that a scan has queued together. Its state has the executor's lock. */
final class PreloadedRanges implements PrefetchedRanges {
  private static final CompletableFuture<Void> ARRIVED = CompletableFuture.completedFuture(null);

  private final PreloadExecutor executor;
  private final Lock lock;
  private final PreloadScan scan;
  private final ByteRangeReader file;
  private final long place;
  private final boolean isCertain;
  private final PreloadedReader reader;

  /** The requests in the order of their use. */
  private final List<RangeRequest> requests = new ArrayList<>();

  private final NavigableMap<Long, RangeRequest> byPosition = new TreeMap<>();

  /** Runs when these ranges are closed and no attempt is in progress; null when it has run. */
  private Runnable release;

  private int attemptsInProgress;
  private boolean isClosed;

  /** The requests before this one have begun. */
  private int firstQueued;

  /** The requests before this one have settled and are marked as needed. */
  private int firstUnsettled;

  /**
   * Creates ranges without reading.
   *
   * @param executor reads them
   * @param scan whose ranges they are
   * @param file the file
   * @param wanted what will be read
   * @param plan the requests, as {@link io.ariadne.io.RequestPlanner} makes them of {@code wanted}
   * @param place when the scan uses these ranges, relative to its others
   * @param isCertain whether reading may begin before a thread needs the bytes
   * @param release as of {@link io.ariadne.io.ReadAheadScan#read}
   */
  PreloadedRanges(
      PreloadExecutor executor,
      PreloadScan scan,
      ByteRangeReader file,
      List<WantedRange> wanted,
      List<WantedRange> plan,
      long place,
      boolean isCertain,
      Runnable release) {
    this.executor = executor;
    this.lock = executor.lock();
    this.scan = scan;
    this.file = file;
    this.place = place;
    this.isCertain = isCertain;
    this.release = release;
    this.reader = new PreloadedReader(this, file);
    for (WantedRange request : plan) {
      RangeRequest made = new RangeRequest(this, request, wantedBytes(request, wanted));
      requests.add(made);
      byPosition.put(request.position(), made);
    }
    requests.sort(Comparator.comparingLong(request -> request.range.order()));
  }

  private static long wantedBytes(WantedRange request, List<WantedRange> wanted) {
    long bytes = 0;
    for (WantedRange range : wanted) {
      long from = Math.max(range.position(), request.position());
      long to = Math.min(range.end(), request.end());
      bytes += Math.max(to - from, 0);
    }
    return bytes;
  }

  ByteRangeReader file() {
    return file;
  }

  long place() {
    return place;
  }

  PreloadScan scan() {
    return scan;
  }

  PreloadExecutor executor() {
    return executor;
  }

  @Override
  public ByteRangeReader reader() {
    return reader;
  }

  /** Returns the request that contains a byte, or null. Called with or without the lock. */
  RangeRequest at(long position) {
    var entry = byPosition.floorEntry(position);
    return entry == null || position >= entry.getValue().range.end() ? null : entry.getValue();
  }

  /** Returns the first byte after a position that a request contains, or {@code otherwise}. */
  long nextStart(long position, long otherwise) {
    Long next = byPosition.higherKey(position);
    return next == null ? otherwise : next;
  }

  @Override
  public CompletableFuture<Void> arrived(long order) {
    List<CompletableFuture<Void>> waits = new ArrayList<>();
    boolean isNews = false;
    lock.lock();
    try {
      for (int i = firstUnsettled; i < requests.size(); i++) {
        RangeRequest request = requests.get(i);
        if (request.range.order() >= order) {
          break;
        }
        isNews |= need(request);
        if (!request.isSettled()) {
          waits.add(request.settled());
        } else if (i == firstUnsettled) {
          firstUnsettled++;
        }
      }
    } finally {
      lock.unlock();
    }
    if (isNews) {
      executor.wake();
    }
    return waits.isEmpty()
        ? ARRIVED
        : CompletableFuture.allOf(waits.toArray(CompletableFuture[]::new));
  }

  /** Marks a request as needed, under the lock; returns whether its reading must begin. */
  boolean need(RangeRequest request) {
    if (request.isNeeded) {
      return false;
    }
    request.isNeeded = true;
    scan.countNeeded(request);
    if (request.state != State.QUEUED) {
      return false;
    }
    executor.queue().needed(request);
    if (isCertain) {
      executor.depth().noteUnread(request.range.length());
    }
    return true;
  }

  /** Returns whether reading may begin before a thread needs the bytes. */
  boolean isCertain() {
    return isCertain;
  }

  /** Queues all requests, under the lock. */
  void queue() {
    requests.forEach(executor.queue()::queued);
  }

  /**
   * Returns the first request that may begin before a thread needs it, under the lock; null for
   * none.
   */
  RangeRequest firstQueued() {
    while (firstQueued < requests.size() && requests.get(firstQueued).state != State.QUEUED) {
      firstQueued++;
    }
    return isCertain && firstQueued < requests.size() ? requests.get(firstQueued) : null;
  }

  /** Queues a request again, under the lock. */
  void requeue(RangeRequest request) {
    executor.queue().queued(request);
    firstQueued = 0;
    firstUnsettled = 0;
  }

  /**
   * Takes the memory of bytes that nothing needs yet, under the lock; they are read again later.
   */
  void giveBack(Discarded discarded) {
    for (RangeRequest request : requests) {
      if (request.state == State.ARRIVED && !request.isNeeded && request.users == 0) {
        request.isSentAgain = false;
        free(request, discarded);
        requeue(request);
        scan.countWasted(request.range.length());
      }
    }
  }

  void attemptBegun() {
    attemptsInProgress++;
  }

  /** Notes the end of an attempt, under the lock; returns what to run without it, or null. */
  Runnable attemptEnded() {
    attemptsInProgress--;
    return takeRelease();
  }

  private Runnable takeRelease() {
    if (!isClosed || attemptsInProgress > 0) {
      return null;
    }
    Runnable taken = release;
    release = null;
    return taken;
  }

  @Override
  public void close() {
    Discarded discarded = new Discarded();
    Runnable last;
    lock.lock();
    try {
      if (isClosed) {
        return;
      }
      isClosed = true;
      requests.forEach(request -> end(request, discarded));
      scan.remove(this);
      last = takeRelease();
    } finally {
      lock.unlock();
    }
    executor.finish(discarded, last);
  }

  /** Ends a request, under the lock. */
  private void end(RangeRequest request, Discarded discarded) {
    request.attempts.forEach(discarded::add);
    request.attempts.clear();
    if (request.state == State.ARRIVED) {
      scan.countWasted(request.unusedBytes);
    }
    if (request.state == State.QUEUED) {
      executor.queue().left(request, State.OVER);
    }
    request.state = State.OVER;
    discarded.add(request.takeSettled());
    if (request.users == 0) {
      free(request, discarded);
    }
  }

  /** Takes the memory of a request, under the lock. */
  void free(RangeRequest request, Discarded discarded) {
    MemoryBuffer bytes = request.takeBytes();
    if (bytes != null) {
      executor.depth().freed(request.range.length());
      discarded.add(bytes);
    }
  }
}
