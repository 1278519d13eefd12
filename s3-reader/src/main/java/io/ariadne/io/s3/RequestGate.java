package io.ariadne.io.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

/**
 * Limits how many requests of one client run at once, and starts the waiting ones in their order.
 * Thread-safe.
 *
 * <p>The limit follows the store: a refusal for too many requests halves it, once for all requests
 * that were under way, and each answer raises it again, by one after as many answers as the limit
 * (additive increase, multiplicative decrease: Chiu and Jain, 1989).
 */
final class RequestGate {
  private final int most;
  private final Executor threads;

  @GuardedBy("this")
  private final Queue<Request> waiting = new ArrayDeque<>();

  @GuardedBy("this")
  private double limit;

  @GuardedBy("this")
  private int running;

  @GuardedBy("this")
  private long lastDecreaseNanos;

  @GuardedBy("this")
  private long closedUntilNanos;

  @GuardedBy("this")
  private Future<?> opening;

  /** A request that waits for its turn. */
  interface Request {
    /** Returns whether it still has to be sent; otherwise it is dropped. Does not block. */
    boolean isWanted();

    /**
     * Sends it and takes the answer, on a thread that may block. Does not throw.
     *
     * @return what to do when the next request has been given the turn
     */
    Runnable send();

    /** Called instead of {@link #send} when no thread can be started. */
    void cannotStart(Throwable cause);
  }

  /**
   * Creates a gate.
   *
   * @param most requests that may run at once, at least 1
   * @param threads starts each task on a thread of its own
   */
  RequestGate(int most, Executor threads) {
    this.most = most;
    this.threads = threads;
    this.limit = most;
    this.lastDecreaseNanos = System.nanoTime();
    this.closedUntilNanos = lastDecreaseNanos;
  }

  /** Starts a request as soon as fewer requests run than the limit allows. */
  void submit(Request request) {
    synchronized (this) {
      waiting.add(request);
    }
    startWaiting();
  }

  /** Starts a request if it needs not wait; returns whether it did. */
  boolean submitNow(Request request) {
    synchronized (this) {
      if (!waiting.isEmpty() || !hasPlace()) {
        return false;
      }
      running++;
    }
    start(request);
    return true;
  }

  @GuardedBy("this")
  private boolean hasPlace() {
    return running < (int) limit && System.nanoTime() - closedUntilNanos >= 0;
  }

  private void startWaiting() {
    for (Request next = next(); next != null; next = next()) {
      start(next);
    }
  }

  private synchronized Request next() {
    while (!waiting.isEmpty()) {
      if (!waiting.peek().isWanted()) {
        waiting.remove();
      } else if (hasPlace()) {
        running++;
        return waiting.remove();
      } else {
        openLater();
        return null;
      }
    }
    return null;
  }

  @GuardedBy("this")
  private void openLater() {
    long wait = closedUntilNanos - System.nanoTime();
    if (wait > 0 && opening == null) {
      opening = RequestThreads.later(wait, this::open);
    }
  }

  private void open() {
    synchronized (this) {
      opening = null;
    }
    startWaiting();
  }

  private void start(Request request) {
    try {
      threads.execute(() -> run(request));
    } catch (RuntimeException | OutOfMemoryError e) {
      synchronized (this) {
        running--;
      }
      request.cannotStart(e);
    }
  }

  private void run(Request request) {
    Runnable next = request.send();
    synchronized (this) {
      running--;
    }
    try {
      startWaiting();
    } finally {
      next.run();
    }
  }

  /** Reports an answer. */
  synchronized void answered() {
    limit = Math.min(most, limit + 1 / limit);
  }

  /**
   * Reports a refusal for too many requests.
   *
   * @param sentNanos when the refused request was sent
   * @param pauseNanos how long the store wants no request
   */
  synchronized void throttled(long sentNanos, long pauseNanos) {
    long now = System.nanoTime();
    if (sentNanos - lastDecreaseNanos > 0) {
      limit = Math.max(1, Math.min(limit, running) / 2);
      lastDecreaseNanos = now;
    }
    if (pauseNanos > 0 && now + pauseNanos - closedUntilNanos > 0) {
      closedUntilNanos = now + pauseNanos;
    }
  }

  /** Returns how many requests may run at once now. */
  synchronized int limit() {
    return (int) limit;
  }

  /** Returns how many requests run now. */
  synchronized int running() {
    return running;
  }
}
