package io.ariadne.shuffle.transport.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TestRequestLines {
  private static final String DEAD = "dead";
  private static final String LIVE = "live";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Destinations sender = new Destinations();
  private final RequestLines<String, Integer> lines = new RequestLines<>(threads, sender);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** A dead destination fails when the test says so. */
  private static final class Destinations implements RequestLines.Sender<String, Integer> {
    final CountDownLatch gaveUp = new CountDownLatch(1);
    final CountDownLatch connecting = new CountDownLatch(1);
    final List<Integer> sent = Collections.synchronizedList(new ArrayList<>());
    final List<Integer> failed = Collections.synchronizedList(new ArrayList<>());
    final List<Integer> attempts = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void send(String destination, Integer request) throws Exception {
      if (destination.equals(DEAD)) {
        attempts.add(request);
        connecting.countDown();
        gaveUp.await();
        throw new IOException("no route to host");
      }
      sent.add(request);
    }

    @Override
    public void fail(Integer request, Throwable cause) {
      failed.add(request);
    }
  }

  private static List<Integer> numbers(int from, int end) {
    return IntStream.range(from, end).boxed().toList();
  }

  private void end() throws InterruptedException {
    threads.shutdown();
    assertTrue(threads.awaitTermination(20, TimeUnit.SECONDS), "a thread does not end");
  }

  @Test
  void aDeadDestinationTakesOneThreadAndOneAttempt() throws Exception {
    lines.add(DEAD, 0);
    assertTrue(sender.connecting.await(20, TimeUnit.SECONDS));
    numbers(1, 1000).forEach(i -> lines.add(DEAD, i));
    assertEquals(1, ((ThreadPoolExecutor) threads).getPoolSize());
    lines.add(LIVE, 1000);
    sender.gaveUp.countDown();
    end();
    assertEquals(List.of(1000), sender.sent);
    assertEquals(numbers(0, 1000), sender.failed);
    assertEquals(List.of(0), sender.attempts);
  }

  @Test
  void requestsAreSentInTheirOrder() throws Exception {
    numbers(0, 1000).forEach(i -> lines.add(LIVE, i));
    end();
    assertEquals(numbers(0, 1000), sender.sent);
  }

  @Test
  void requestsFailOnceTheThreadsHaveEnded() {
    threads.shutdownNow();
    lines.add(LIVE, 7);
    lines.add(LIVE, 8);
    assertEquals(List.of(7, 8), sender.failed);
  }
}
