package io.ariadne.io.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
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
  private final Deque<Request> waiting = new ArrayDeque<>();

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
      if (!waiting.isEmpty() || !hasPlace(System.nanoTime())) {
        return false;
      }
      running++;
    }
    return start(request) == null;
  }

  @GuardedBy("this")
  private boolean hasPlace(long now) {
    return running < (int) limit && now - closedUntilNanos >= 0;
  }

  /**
   * Starts waiting requests. When the system refuses a thread, the request waits for the end of a
   * running one; it fails if there is none.
   */
  private void startWaiting() {
    for (Request next = next(); next != null; next = next()) {
      Throwable refusal = start(next);
      if (refusal != null && waitAgain(next)) {
        return;
      }
      if (refusal != null) {
        next.cannotStart(refusal);
      }
    }
  }

  private synchronized boolean waitAgain(Request request) {
    if (running > 0) {
      waiting.addFirst(request);
    }
    return running > 0;
  }

  private synchronized Request next() {
    long now = System.nanoTime();
    while (!waiting.isEmpty()) {
      if (!waiting.peek().isWanted()) {
        waiting.remove();
      } else if (hasPlace(now)) {
        running++;
        return waiting.remove();
      } else {
        openLater(now);
        return null;
      }
    }
    return null;
  }

  @GuardedBy("this")
  private void openLater(long now) {
    long wait = closedUntilNanos - now;
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

  /** Starts a request that counts as running; returns why it does not run, or null. */
  private Throwable start(Request request) {
    try {
      threads.execute(() -> run(request));
      return null;
    } catch (RuntimeException | OutOfMemoryError e) {
      synchronized (this) {
        running--;
      }
      return e;
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
