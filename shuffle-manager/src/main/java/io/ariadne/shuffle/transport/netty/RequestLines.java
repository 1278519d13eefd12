package io.ariadne.shuffle.transport.netty;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends requests on other threads, because a connection may have to be made first, which blocks. A
 * destination takes one thread, however many requests wait for its connection, and its requests are
 * sent in their order. When the connection fails, so do all that wait for it. Thread-safe.
 *
 * @param <D> a destination
 * @param <R> a request
 */
final class RequestLines<D, R> {
  /** Sends a request. */
  interface Sender<D, R> {
    /**
     * Connects if there is no connection, and sends.
     *
     * @throws Exception when there is no connection
     */
    void send(D destination, R request) throws Exception;

    /** Tells a request that it is not sent. */
    void fail(R request, Throwable cause);
  }

  private static final Logger LOG = LoggerFactory.getLogger(RequestLines.class);

  private final Executor threads;
  private final Sender<D, R> sender;

  /** A destination is here as long as a thread sends its requests. */
  @GuardedBy("this")
  private final Map<D, Deque<R>> lines = new HashMap<>();

  /**
   * Creates an instance.
   *
   * @param threads run at once what they accept
   */
  RequestLines(Executor threads, Sender<D, R> sender) {
    this.threads = threads;
    this.sender = sender;
  }

  /** Sends a request soon. */
  void add(D destination, R request) {
    synchronized (this) {
      Deque<R> line = lines.get(destination);
      if (line != null) {
        line.add(request);
        return;
      }
      lines.put(destination, new ArrayDeque<>(List.of(request)));
    }
    try {
      threads.execute(() -> sendAll(destination));
    } catch (RejectedExecutionException | OutOfMemoryError e) { // as for a thread too many
      for (R each = next(destination); each != null; each = next(destination)) {
        fail(each, e);
      }
    }
  }

  private void sendAll(D destination) {
    for (R request = next(destination); request != null; request = next(destination)) {
      try {
        sender.send(destination, request);
      } catch (Throwable e) { // The request has to learn of everything.
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        fail(request, e);
        failAll(destination, e);
      }
    }
  }

  /** Returns null, and ends the line, when no request waits. */
  private synchronized R next(D destination) {
    R request = lines.get(destination).poll();
    if (request == null) {
      lines.remove(destination);
    }
    return request;
  }

  private void failAll(D destination, Throwable cause) {
    List<R> failed;
    synchronized (this) {
      Deque<R> line = lines.get(destination);
      failed = List.copyOf(line);
      line.clear();
    }
    failed.forEach(request -> fail(request, cause));
  }

  /** Tells a request that it is not sent; an exception is logged, so that the line is not kept. */
  private void fail(R request, Throwable cause) {
    try {
      sender.fail(request, cause);
    } catch (RuntimeException | Error e) {
      LOG.error("a request does not learn that it is not sent", e);
    }
  }
}
