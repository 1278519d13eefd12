package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.memory.testing.ProcessUse;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same mixed work again and again in one runtime: memory stays flat, no thread, file or byte is
 * left. The system property {@code ariadne.test.repetitions} says how often.
 */
@Timeout(600)
class TestRepeatedWork {
  private static final int REPETITIONS = Integer.getInteger("ariadne.test.repetitions", 20);

  /** Repetitions until classes, code and thread-local buffers are there. */
  private static final int WARM_UP = 5;

  private static final int PLANS = 12;
  private static final long HEAP_SLACK_BYTES = 8L << 20;

  @TempDir private Path folder;

  @Test
  void leavesNothingBehind() throws Exception {
    RuntimeConfig config =
        RuntimeConfig.of(2, 16L << 20)
            .withBackend(BackendChoice.CPU)
            .withSpill(DiskSpillOptions.in(List.of(folder)));
    ProcessUse warm = null;
    int completed = 0;
    Set<String> before = ProcessUse.namesOf(TestRepeatedWork::isOurs);
    try (ExecutorRuntime runtime = ExecutorRuntime.start(config)) {
      for (int i = 0; i < WARM_UP + REPETITIONS; i++) {
        if (i == WARM_UP) {
          warm = ProcessUse.now(TestRepeatedWork::isOurs);
        }
        for (int plan = 0; plan < PLANS; plan++) {
          completed += run(runtime, plan) ? 1 : 0;
        }
        assertEquals(0, runtime.pool().allocatedBytes());
        assertEquals(0, runtime.spilledBytes());
        assertEquals(0, runtime.openFragmentCount());
      }
      ProcessUse end = ProcessUse.now(TestRepeatedWork::isOurs);
      System.out.println(REPETITIONS + " repetitions: from " + warm + " to " + end);
      long grown = end.heapBytes() - warm.heapBytes();
      assertTrue(grown < HEAP_SLACK_BYTES, grown + " bytes more on the heap");
      assertEquals(warm.threads(), end.threads());
      assertEquals(List.of(), end.filesBeyond(warm), "files left open");
      assertEquals("", runtime.lastReport());
    }
    assertTrue(completed > REPETITIONS, completed + " runs completed");
    assertEquals(
        before, ProcessUse.namesOf(TestRepeatedWork::isOurs), "threads after the runtime's end");
    try (Stream<Path> left = Files.walk(folder)) {
      assertEquals(0L, left.filter(Files::isRegularFile).count());
    }
  }

  private static boolean isOurs(String thread) {
    return thread.startsWith("ariadne");
  }

  /** Runs a plan to its end, or cancels it, or leaves it early; returns whether it completed. */
  private static boolean run(ExecutorRuntime runtime, int plan) {
    PlanCase drawn = new PlanCase(plan * 7919L);
    try (FragmentExecution execution =
        runtime.submit(
            drawn.root(), drawn.sources(runtime.pool()), drawn.scans(), TaskEnvironment.NONE)) {
      if (plan % 4 == 1) {
        return false;
      }
      if (plan % 4 == 2) {
        execution.cancel();
      }
      assertEquals(drawn.expected(), PlanCase.drain(execution));
      return true;
    } catch (CancellationException e) {
      return false;
    } catch (EngineException e) {
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code(), e::toString);
      return false;
    }
  }
}
