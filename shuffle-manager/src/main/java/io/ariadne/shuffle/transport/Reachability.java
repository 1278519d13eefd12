package io.ariadne.shuffle.transport;

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

/**
 * Finds out which peers answer, before blocks are asked for: a firewall may close their ports. A
 * fetch that fails would cost all map outputs of the peer's executor, though it has them.
 *
 * <p>Asks each peer once for a range without rows. Thread-safe.
 */
public final class Reachability {
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
   * @throws InterruptedException when the thread is interrupted while it waits
   */
  public Map<Peer, Throwable> unreachable(Collection<Peer> peers) throws InterruptedException {
    peers.forEach(peer -> answers.computeIfAbsent(peer, this::ask));
    long end = System.nanoTime() + limit.toNanos();
    Map<Peer, Throwable> failures = new HashMap<>();
    for (Peer peer : peers) {
      try {
        long left = Math.max(0, end - System.nanoTime());
        answers.get(peer).get(left, TimeUnit.NANOSECONDS);
      } catch (ExecutionException e) {
        failures.put(peer, e.getCause());
      } catch (TimeoutException e) {
        failures.put(peer, new TimeoutException("no answer within " + limit.toMillis() + " ms"));
      }
    }
    return failures;
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
