package io.ariadne.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loss has one cause and is reported once, whichever threads get the error. */
@Timeout(60)
class TestDeviceLoss {
  private static final int ROUNDS = 1000;

  private static void sideBySide(Runnable first, Runnable second) throws InterruptedException {
    CyclicBarrier start = new CyclicBarrier(2);
    Thread other =
        new Thread(
            () -> {
              await(start);
              second.run();
            });
    other.start();
    await(start);
    first.run();
    other.join();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void recordsOneLossWhenTwoThreadsReportIt() throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      DeviceLoss loss = new DeviceLoss();
      List<String> told = new CopyOnWriteArrayList<>();
      loss.whenLost(told::add);
      sideBySide(() -> loss.lose("first"), () -> loss.lose("second"));
      assertEquals(List.of(loss.cause().orElseThrow()), told);
    }
  }

  @Test
  void callsAListenerThatIsAddedDuringTheLoss() throws InterruptedException {
    for (int i = 0; i < ROUNDS; i++) {
      DeviceLoss loss = new DeviceLoss();
      List<String> told = new CopyOnWriteArrayList<>();
      sideBySide(() -> loss.lose("cause"), () -> loss.whenLost(told::add));
      assertEquals(List.of("cause"), told);
    }
  }

  /** The caller is to throw DEVICE_LOST, whatever becomes of the listener. */
  @Test
  void survivesAListenerThatFails() {
    DeviceLoss loss = new DeviceLoss();
    loss.whenLost(
        cause -> {
          throw new OutOfMemoryError("no more threads");
        });
    loss.lose("cause");
    assertEquals(Optional.of("cause"), loss.cause());
    EngineException lost = assertThrows(EngineException.class, loss::check);
    assertEquals(ErrorCode.DEVICE_LOST, lost.code());
  }
}
