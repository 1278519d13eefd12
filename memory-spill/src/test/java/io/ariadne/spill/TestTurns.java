package io.ariadne.spill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.ThreadRecords;
import io.ariadne.event.Wait;
import io.ariadne.event.WaitKind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One after the other, but nobody for ever behind one that hangs. */
@Timeout(60)
class TestTurns {
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /** Has a thread begin a turn that ends when it is released. */
  private FutureTask<Void> hang(Turns turns) throws InterruptedException {
    FutureTask<Void> hanging =
        new FutureTask<>(
            () -> {
              turns.begin();
              Wait disk =
                  ThreadRecord.current().await(WaitKind.DISK, "a write to /slow/disk", 0, null);
              begun.countDown();
              released.await();
              disk.close();
              turns.end();
              return null;
            });
    new Thread(hanging).start();
    begun.await();
    return hanging;
  }

  @Test
  void testNobodyWaitsForOneThatHangs() throws Exception {
    Turns turns = new Turns("move a test", Duration.ofMillis(200));
    FutureTask<Void> hanging = hang(turns);
    Thread.currentThread().interrupt();
    EngineException e = assertThrows(EngineException.class, turns::begin);
    assertTrue(Thread.interrupted(), "the interrupt is lost");
    assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
    assertTrue(e.getMessage().startsWith("cannot move a test"), e.getMessage());
    assertTrue(e.getMessage().contains("/slow/disk"), e.getMessage());
    released.countDown();
    hanging.get();
    turns.begin();
    turns.begin();
    turns.end();
    turns.end();
  }

  @Test
  void testAWaitIsEnded() throws Exception {
    Turns turns = new Turns("move a test", Duration.ofMinutes(10));
    FutureTask<Void> hanging = hang(turns);
    FutureTask<Void> waiting = new FutureTask<>(turns::begin, null);
    Thread waiter = new Thread(waiting);
    waiter.start();
    Optional<Wait> wait = Optional.empty();
    while (wait.isEmpty()) {
      wait = ThreadRecords.waits().stream().filter(Wait::isBreakable).findAny();
    }
    wait.get().breakOff("for a test");
    Exception e = assertThrows(Exception.class, () -> waiting.get(30, TimeUnit.SECONDS));
    assertTrue(e.getCause().getMessage().endsWith("was ended: for a test"), e.toString());
    released.countDown();
    hanging.get();
  }

  /** Who waits gets its turn when the one before has ended. */
  @Test
  void testOneAfterTheOther() throws Exception {
    Turns turns = new Turns("move a test", Duration.ofMinutes(10));
    FutureTask<Void> hanging = hang(turns);
    FutureTask<Boolean> waiting =
        new FutureTask<>(
            () -> {
              turns.begin();
              turns.end();
              return hanging.isDone() || released.getCount() == 0;
            });
    new Thread(waiting).start();
    Thread.sleep(120);
    assertFalse(waiting.isDone(), "two turns at a time");
    released.countDown();
    assertTrue(waiting.get());
  }
}
