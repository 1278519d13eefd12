package io.ariadne.operator.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.operator.LimitedSpillSpace;
import io.ariadne.operator.OperatorContext;
import org.junit.jupiter.api.Test;

/** Drivers that sort and merge at once fit the memory, however many there are. */
class TestSortLimits {
  private static final long MEBIBYTE = 1 << 20;

  @Test
  void driversThatMergeAtOnceFitTheMemory() {
    for (int drivers = 1; drivers <= 64; drivers *= 2) {
      for (long megabytes = Math.max(64, 4L * drivers); megabytes <= 1 << 16; megabytes *= 4) {
        long capacity = megabytes * MEBIBYTE;
        SortLimits limits = SortLimits.DEFAULT.within(capacity, drivers);
        String what = drivers + " drivers with " + megabytes + " MiB: " + limits;
        long open = limits.fanIn() * limits.batchBytes() + 2 * limits.roundBytes();
        assertTrue(drivers * open <= capacity / 2, what);
        long last = limits.driverRuns() * limits.batchBytes();
        assertTrue(drivers * last <= capacity / 8, what);
        assertTrue(drivers * 3 * limits.runBytes() <= capacity / 2, what);
      }
    }
  }

  @Test
  void dividesMemoryByTheThreadsOfTheContext() {
    LimitedSpillSpace space = new LimitedSpillSpace(1 << 30);
    OperatorContext context =
        new OperatorContext(new TestingAllocator(), HostBackend.open(), () -> false);
    for (int threads : new int[] {4, 64}) {
      assertEquals(
          SortLimits.DEFAULT.within(1 << 30, threads),
          SortLimits.DEFAULT.within(space.context(context, threads)));
    }
  }

  @Test
  void keepsTheDefaultsWhenMemoryHasNoBound() {
    assertEquals(SortLimits.DEFAULT, SortLimits.DEFAULT.within(Long.MAX_VALUE, 1));
  }

  @Test
  void mergesAllRunsAtOnceWithAnEighthOfTheInput() {
    // 10 GB with an eighth of them as memory, on two threads.
    SortLimits limits = SortLimits.DEFAULT.within(1226 * MEBIBYTE, 2);
    assertTrue(limits.driverRuns() * 2 * limits.runBytes() >= 9806 * MEBIBYTE, limits.toString());
  }
}
