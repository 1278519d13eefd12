package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.simulated.SimulatedBackend;
import io.ariadne.backend.simulated.SimulatedDevice;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.MemoryConfig;
import io.ariadne.executor.MemoryUsage;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.executor.SelectedBackend;
import io.ariadne.spill.WaitTimes;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A join and an aggregation in a part of the memory that they hold at once, without rates. */
@Timeout(300)
class TestSpillTiers {
  private static final JoinAndSums QUERY = new JoinAndSums(1 << 19, 1 << 20);

  /** About what the query holds at once. */
  private static final long WORKING_SET = 64L << 20;

  /** For a query that fails in the end. */
  private static final WaitTimes HASTE =
      new WaitTimes(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ZERO);

  @TempDir private Path folder;

  /** Answers are right however little memory there is, and nothing is left in any tier. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void completesInASixteenth(SpillArm arm) {
    MemoryUsage end = run(arm, WaitTimes.DEFAULT, WORKING_SET / 16);
    assertTrue(end.movedFromHost() > WORKING_SET / 8, end.toString());
    assertTrue(end.movedFromDevice() > 0, end.toString());
  }

  /** What the other arms spill for is needed. */
  @Test
  void failsWithoutSpilling() {
    EngineException refused =
        assertThrows(EngineException.class, () -> run(SpillArm.NONE, HASTE, WORKING_SET / 4));
    assertEquals(ErrorCode.OUT_OF_MEMORY, refused.code());
  }

  private MemoryUsage run(SpillArm arm, WaitTimes waits, long bytes) {
    RuntimeConfig config =
        RuntimeConfig.of(2, bytes)
            .withMemory(MemoryConfig.of(bytes).withSpilling(arm.policy()).withWaits(waits))
            .withSpill(DiskSpillOptions.in(List.of(folder)));
    SimulatedBackend device = SimulatedBackend.open(SimulatedDevice.of(bytes));
    try (ExecutorRuntime runtime =
        ExecutorRuntime.start(config, new SelectedBackend(device, "test"))) {
      QUERY.run(runtime);
      MemoryUsage end = runtime.memoryUsage();
      assertEquals(0, end.hostBytes() + end.deviceBytes() + end.hostedBytes() + end.diskBytes());
      return end;
    }
  }
}
