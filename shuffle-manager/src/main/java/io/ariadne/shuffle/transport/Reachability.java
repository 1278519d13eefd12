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
 * <p>Asks each peer once for a range without rows, and one that did not answer again some time
 * later; all of them again after {@link #askAgain}. Thread-safe.
 */
public final class Reachability {
  private static final Logger LOG = LoggerFactory.getLogger(Reachability.class);

  private final Transport transport;
  private final Duration limit;
  private final Duration memory;
  private final Map<Peer, Answer> answers = new ConcurrentHashMap<>();

  /**
   * What a peer has answered.
   *
   * @param outcome completed by the answer
   * @param askedNanos when the peer was asked
   */
  private record Answer(CompletableFuture<Void> outcome, long askedNanos) {
    boolean isGood() {
      return outcome.isDone() && !outcome.isCompletedExceptionally();
    }
  }

  /**
   * Creates an instance.
   *
   * @param transport reaches the peers; not owned
   * @param limit how long peers may take to answer
   * @param memory how long peers that have not answered are not asked again
   */
  public Reachability(Transport transport, Duration limit, Duration memory) {
    this.transport = transport;
    this.limit = limit;
    this.memory = memory;
  }

  /**
   * Returns the peers that cannot be reached, and why. Waits for those that have not been asked
   * before, for all at the same time.
   *
   * @throws InterruptedException when the thread is interrupted, or the wait is broken off
   */
  public Map<Peer, Throwable> unreachable(Collection<Peer> peers) throws InterruptedException {
    Map<Peer, CompletableFuture<Void>> asked = new HashMap<>();
    peers.forEach(peer -> asked.put(peer, answers.compute(peer, this::current).outcome()));
    awaitAnswers(asked);
    Map<Peer, Throwable> failures = new HashMap<>();
    for (Peer peer : peers) {
      CompletableFuture<Void> answer = asked.get(peer);
      if (!answer.isDone()) {
        failures.put(peer, new TimeoutException("no answer within " + limit.toMillis() + " ms"));
      } else if (answer.isCompletedExceptionally()) {
        failures.put(peer, answer.handle((none, cause) -> cause).join());
      }
    }
    return failures;
  }

  /** Forgets which peers have answered: they are asked again before the next blocks. */
  public void askAgain() {
    answers.values().removeIf(Answer::isGood);
  }

  /** Waits until all peers have answered or failed, or for the limit. */
  private void awaitAnswers(Map<Peer, CompletableFuture<Void>> all) throws InterruptedException {
    Map<Peer, CompletableFuture<Void>> asked = new HashMap<>(all);
    asked.values().removeIf(CompletableFuture::isDone);
    if (asked.isEmpty()) {
      return;
    }
    CompletableFuture<String> broken = new CompletableFuture<>();
    CompletableFuture<?> ends =
        CompletableFuture.allOf(
            asked.values().stream()
                .map(answer -> answer.exceptionally(cause -> null))
                .toArray(CompletableFuture[]::new));
    ThreadRecord thread = ThreadRecord.current();
    Wait wait =
        thread.await(WaitKind.NETWORK, "first answers of " + asked.keySet(), 0, broken::complete);
    try {
      CompletableFuture.anyOf(ends, broken).get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause()); // neither of them fails
    } catch (TimeoutException e) {
      LOG.debug("no first answer of some of {} within {}", asked.keySet(), limit);
    } finally {
      wait.close();
    }
    if (broken.isDone()) {
      throw new InterruptedException(broken.join());
    }
  }

  /** Returns the answer of a peer, which is asked again when the former one is bad and old. */
  private Answer current(Peer peer, Answer former) {
    boolean isKept =
        former != null
            && (former.isGood() || System.nanoTime() - former.askedNanos() < memory.toNanos());
    return isKept ? former : new Answer(ask(peer), System.nanoTime());
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
