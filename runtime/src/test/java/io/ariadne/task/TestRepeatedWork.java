package io.ariadne.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
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
  void testNothingIsLeft() throws Exception {
    RuntimeConfig config =
        RuntimeConfig.of(2, 16L << 20)
            .withBackend(BackendChoice.CPU)
            .withSpill(DiskSpillOptions.in(List.of(folder)));
    long heap = 0;
    Set<String> threads = Set.of();
    long files = 0;
    int completed = 0;
    Set<String> before = threadNames();
    try (ExecutorRuntime runtime = ExecutorRuntime.start(config)) {
      for (int i = 0; i < WARM_UP + REPETITIONS; i++) {
        if (i == WARM_UP) {
          heap = usedHeap();
          threads = threadNames();
          files = openFiles();
        }
        for (int plan = 0; plan < PLANS; plan++) {
          completed += run(runtime, plan) ? 1 : 0;
        }
        assertEquals(0, runtime.pool().allocatedBytes());
        assertEquals(0, runtime.spilledBytes());
        assertEquals(0, runtime.openFragmentCount());
      }
      long grown = usedHeap() - heap;
      assertTrue(grown < HEAP_SLACK_BYTES, grown + " bytes more on the heap");
      assertEquals(threads, threadNames());
      assertTrue(openFiles() <= files, openFiles() + " open files, before " + files);
      assertEquals("", runtime.lastReport());
    }
    assertTrue(completed > REPETITIONS, completed + " runs completed");
    assertEquals(before, threadNames(), "threads after the runtime's end");
    try (Stream<Path> left = Files.walk(folder)) {
      assertEquals(0L, left.filter(Files::isRegularFile).count());
    }
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

  private static long usedHeap() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(20);
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  private static Set<String> threadNames() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("ariadne"))
        .collect(Collectors.toSet());
  }

  private static long openFiles() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.exists(descriptors)) {
      return 0;
    }
    try (Stream<Path> open = Files.list(descriptors)) {
      return open.count();
    }
  }
}
