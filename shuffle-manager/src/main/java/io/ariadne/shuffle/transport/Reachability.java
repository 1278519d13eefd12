package io.ariadne.shuffle.transport;

import io.ariadne.event.ThreadRecord;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out which peers answer, before blocks are asked for: a firewall may close their ports. A
 * fetch that fails would cost all map outputs of the peer's executor, though it has them.
 *
 * <p>Asks each peer once for a range without rows. Thread-safe.
 */
public final class Reachability {
  private static final Logger LOG = LoggerFactory.getLogger(Reachability.class);

  private final Transport transport;
  private final Duration limit;
  private final Map<Peer, CompletableFuture<Void>> answers = new ConcurrentHashMap<>();

  /**
   * Creates an instance.
   *
   * @param transport reaches the peers; not owned
   * @param limit how long peers may take to answer
   */
  public Reachability(Transport transport, Duration limit) {
    this.transport = transport;
    this.limit = limit;
  }

  /**
   * Returns the peers that cannot be reached, and why. Waits for those that have not been asked
   * before, for all at the same time.
   *
   * @throws InterruptedException when the thread is interrupted, or the wait is broken off
   */
  public Map<Peer, Throwable> unreachable(Collection<Peer> peers) throws InterruptedException {
    peers.forEach(peer -> answers.computeIfAbsent(peer, this::ask));
    awaitAnswers(peers.stream().filter(peer -> !answers.get(peer).isDone()).toList());
    Map<Peer, Throwable> failures = new HashMap<>();
    for (Peer peer : peers) {
      CompletableFuture<Void> answer = answers.get(peer);
      if (!answer.isDone()) {
        failures.put(peer, new TimeoutException("no answer within " + limit.toMillis() + " ms"));
      } else if (answer.isCompletedExceptionally()) {
        failures.put(peer, answer.handle((none, cause) -> cause).join());
      }
    }
    return failures;
  }

  /** Waits until all peers have answered or failed, or for the limit. */
  private void awaitAnswers(List<Peer> asked) throws InterruptedException {
    if (asked.isEmpty()) {
      return;
    }
    CompletableFuture<String> broken = new CompletableFuture<>();
    CompletableFuture<?> all =
        CompletableFuture.allOf(
            asked.stream()
                .map(peer -> answers.get(peer).exceptionally(cause -> null))
                .toArray(CompletableFuture[]::new));
    ThreadRecord thread = ThreadRecord.current();
    Wait wait = thread.await(WaitKind.NETWORK, "first answers of " + asked, 0, broken::complete);
    try {
      CompletableFuture.anyOf(all, broken).get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause()); // neither of them fails
    } catch (TimeoutException e) {
      LOG.debug("no first answer of some of {} within {}", asked, limit);
    } finally {
      wait.close();
    }
    if (broken.isDone()) {
      throw new InterruptedException(broken.join());
    }
  }

  private CompletableFuture<Void> ask(Peer peer) {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    BlockRequest request = new BlockRequest(List.of(ProbeSource.range(0)), 1, 0);
    transport.request(
        peer,
        request.encoded(),
        BlockReply.maxBytes(request.maxBytes()),
        new Transport.Listener() {
          @Override
          public void received(ReplyBytes bytes) {
            answer.complete(null);
          }

          @Override
          public void failed(Throwable cause) {
            answer.completeExceptionally(cause);
          }
        });
    return answer;
  }
}
