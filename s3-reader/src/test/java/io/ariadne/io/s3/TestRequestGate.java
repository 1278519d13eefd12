package io.ariadne.io.s3;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TestRequestGate {
  /** What has been started, in this order; the test runs it. */
  private final List<Runnable> started = new ArrayList<>();

  private final List<String> sent = new ArrayList<>();
  private final RequestGate gate = new RequestGate(4, started::add);

  /** A request that is sent when the test runs it. */
  private final class Sent implements RequestGate.Request {
    private final String name;
    private boolean isWanted = true;
    private Throwable refusal;

    Sent(String name) {
      this.name = name;
    }

    @Override
    public boolean isWanted() {
      return isWanted;
    }

    @Override
    public Runnable send() {
      sent.add(name);
      return () -> sent.add(name + " done, running " + gate.running());
    }

    @Override
    public void cannotStart(Throwable cause) {
      refusal = cause;
    }
  }

  private void submit(int count) {
    for (int i = 0; i < count; i++) {
      gate.submit(new Sent("r" + i));
    }
  }

  private void runNext() {
    started.remove(0).run();
  }

  @Test
  void startsAsManyAsTheLimitInTheirOrder() {
    submit(6);
    assertEquals(4, started.size());
    assertFalse(gate.submitNow(new Sent("now")));
    runNext();
    assertEquals(4, started.size());
    while (!started.isEmpty()) {
      runNext();
    }
    assertEquals("r0", sent.get(0));
    assertEquals("r5 done, running 0", sent.get(11));
    assertTrue(gate.submitNow(new Sent("now")));
    assertEquals(1, started.size());
  }

  @Test
  void givesTheTurnAwayBeforeTheRequestGoesOn() {
    submit(5);
    runNext();
    assertEquals(List.of("r0", "r0 done, running 4"), sent);
  }

  @Test
  void dropsUnwantedRequests() {
    submit(4);
    Sent unwanted = new Sent("unwanted");
    gate.submit(unwanted);
    gate.submit(new Sent("wanted"));
    unwanted.isWanted = false;
    while (!started.isEmpty()) {
      runNext();
    }
    assertEquals(0, gate.running());
    assertTrue(sent.contains("wanted"));
    assertFalse(sent.contains("unwanted"));
  }

  @Test
  void halvesOnceForRequestsUnderWay() {
    submit(4);
    long sentNanos = System.nanoTime();
    gate.throttled(sentNanos, 0);
    gate.throttled(sentNanos, 0);
    assertEquals(2, gate.limit());
    submit(3);
    runNext();
    runNext();
    assertEquals(2, started.size());
    runNext();
    assertEquals(2, started.size());
  }

  @Test
  void neverStopsAndRecovers() {
    for (int i = 0; i < 5; i++) {
      gate.throttled(System.nanoTime(), 0);
    }
    assertEquals(1, gate.limit());
    for (int i = 0; i < 100; i++) {
      gate.answered();
    }
    assertEquals(4, gate.limit());
  }

  @Test
  void waitsAsLongAsTheStoreAsks() throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    RequestGate paused = new RequestGate(4, task -> start.countDown());
    paused.throttled(System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(50));
    Sent request = new Sent("later");
    assertFalse(paused.submitNow(request));
    paused.submit(request);
    assertTrue(start.await(30, TimeUnit.SECONDS));
    assertEquals(1, paused.running());
  }

  @Test
  void tellsARequestThatNoThreadStarts() {
    RejectedExecutionException full = new RejectedExecutionException("full");
    RequestGate none =
        new RequestGate(
            1,
            task -> {
              throw full;
            });
    Sent request = new Sent("r");
    none.submit(request);
    assertSame(full, request.refusal);
    assertEquals(0, none.running());
  }
}
