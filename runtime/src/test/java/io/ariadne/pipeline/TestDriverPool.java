package io.ariadne.pipeline;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.pipeline.plan.PipelineInput;
import io.ariadne.pipeline.plan.PipelinePlan;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestDriverPool {
  private static final PipelinePlan PLAN =
      new PipelinePlan(
          new PipelineInput.TaskInput(0, 0, new Schema(List.of())),
          List.of(),
          null,
          PipelinePlan.ANY,
          false);

  private static DriverPool pool(int drivers) {
    return new DriverPool(drivers, () -> new PipelineDriver(PLAN, null, Map.of(), 1000, 1));
  }

  @Test
  void driversThatWaitAreReplacedOnceEach() {
    DriverPool pool = pool(2);
    pool.take();
    pool.take();
    assertFalse(pool.hasFree(() -> true));
    pool.setBlocked(true);
    assertFalse(pool.hasFree(() -> false));
    assertTrue(pool.hasFree(() -> true));
    pool.take();
    assertFalse(pool.hasFree(() -> true));
    pool.setBlocked(false);
    assertFalse(pool.hasFree(() -> true));
    close(pool);
  }

  @Test
  void asManyDriversWaitAsWork() {
    DriverPool pool = pool(2);
    for (int i = 0; i < 4; i++) {
      assertTrue(pool.hasFree(() -> true));
      pool.take();
      pool.setBlocked(true);
    }
    assertFalse(pool.hasFree(() -> true));
    close(pool);
  }

  @Test
  void aSingleDriverIsNotReplaced() {
    DriverPool pool = pool(1);
    pool.take();
    pool.setBlocked(true);
    assertFalse(pool.hasFree(() -> true));
    close(pool);
  }

  private static void close(DriverPool pool) {
    Closer closer = new Closer();
    pool.close(closer);
    closer.rethrow();
  }
}
