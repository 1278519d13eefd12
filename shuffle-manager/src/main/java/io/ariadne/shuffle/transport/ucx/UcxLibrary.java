package io.ariadne.shuffle.transport.ucx;

import io.ariadne.event.Threads;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Loads UCX, which the machine has to have; Ariadne's jar has its binding for Java only. */
public final class UcxLibrary {
  /** How long the messages of the check may take. */
  private static final Duration MESSAGES = Duration.ofSeconds(10);

  /** How long the check may take; UCX may wait without end, for example for a free port. */
  private static final Duration CHECK = Duration.ofSeconds(20);

  /** The outcomes by hosts; empty for no reason. */
  private static final Map<String, String> REASONS = new ConcurrentHashMap<>();

  private UcxLibrary() {}

  /**
   * Returns why UCX cannot be used on this machine; empty when it can. The first time this loads
   * UCX, and sends a message between two workers of this process, there and back, with the settings
   * and devices of an executor. Any thread may call this; it waits some seconds at most.
   *
   * @param host the name or address by which peers know this machine
   * @throws IllegalStateException when the thread is interrupted
   */
  public static Optional<String> reasonAgainst(String host) {
    String reason =
        REASONS.computeIfAbsent(
            host, key -> reason(CHECK, () -> UcxCheck.run(NetworkDevices.of(host), MESSAGES)));
    return Optional.of(reason).filter(text -> !text.isEmpty());
  }

  /** What shows by an exception that UCX cannot be used. */
  interface Check {
    void run() throws InterruptedException, ExecutionException, TimeoutException;
  }

  /**
   * Returns why a check fails; empty when it does not. It runs on a thread of its own, which
   * continues when it takes too long: nothing can end a call of UCX.
   */
  static String reason(Duration limit, Check check) {
    CompletableFuture<String> outcome = new CompletableFuture<>();
    Threads.daemon("ariadne-ucx-check", () -> outcome.complete(reason(check))).start();
    try {
      return outcome.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return "UCX has not moved a message between two workers for " + limit.toMillis() + " ms";
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause()); // it completes by a reason alone
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the check of UCX is interrupted", e);
    }
  }

  private static String reason(Check check) {
    try {
      check.run();
      return "";
    } catch (LinkageError e) {
      return "UCX cannot be loaded (Debian: apt install libucx0): " + e.getMessage();
    } catch (ExecutionException e) {
      return "UCX moves no message: " + e.getCause().getMessage();
    } catch (TimeoutException e) {
      return "UCX moves no message between two workers";
    } catch (RuntimeException e) {
      return "UCX cannot be used: " + e.getMessage();
    } catch (InterruptedException e) {
      return "the check of UCX is interrupted";
    }
  }
}
