package io.ariadne.fragment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.event.Event;
import io.ariadne.event.EventKind;
import io.ariadne.event.ThreadRecords;
import io.ariadne.executor.BackendChoice;
import io.ariadne.executor.RuntimeConfig;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.spill.disk.DiskSpillOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches that wait between pipelines or for the task leave memory when others need it. */
class TestQueuedBatches extends AbstractTestFragment {
  private static final int BATCHES = 40;
  private static final int ROWS = 16_384;

  /**
   * As many as are pulled for certain before the first batch is processed: the limit counts two.
   */
  private static final int PULLED = BATCHES - 2;

  private static final long MEMORY = 12L << 20;

  @TempDir private Path folder;

  @BeforeEach
  void startSmall() {
    restart(
        RuntimeConfig.of(2, MEMORY)
            .withBackend(BackendChoice.CPU)
            .withInFlight(BATCHES, MEMORY)
            .withSpill(DiskSpillOptions.in(List.of(folder))));
  }

  /** Asks for nearly all memory, until it is there; what waits has left it then. */
  private void takeMemory(long bytesLeft) {
    long limit = runtime.pool().limitInBytes();
    assertTrue(runtime.pool().allocatedBytes() > bytesLeft, "nothing waits");
    try (MemoryBuffer most = runtime.pool().allocate(limit - bytesLeft)) {
      assertEquals(limit - bytesLeft, most.lengthInBytes());
      assertTrue(runtime.spilledBytes() > 0, "nothing is on disk");
    }
  }

  private static long[] drain(FragmentExecution execution, long[] first) {
    long[] rest = Arrays.copyOf(first, BATCHES * ROWS);
    int at = first.length;
    for (var batch = execution.next(); batch != null; batch = execution.next()) {
      long[] values = LongBatches.drain(batch);
      System.arraycopy(values, 0, rest, at, values.length);
      at += values.length;
    }
    return rest;
  }

  private void awaitOutput() {
    long full = (long) PULLED * ROWS * Long.BYTES;
    while (runtime.pool().allocatedBytes() < full) {
      FragmentTestFailures.pause(1);
    }
  }

  @Test
  void spillsOutputOfASlowConsumer() throws Exception {
    CountDownLatch begin = new CountDownLatch(1);
    CountDownLatch processed = new CountDownLatch(PULLED);
    OperatorFactory passing =
        TestingOperator.mapping(
            values -> {
              FragmentTestFailures.await(begin);
              processed.countDown();
              return new long[][] {values};
            });
    Thread other =
        new Thread(
            () -> {
              awaitOutput();
              begin.countDown();
            });
    other.start();
    try (FragmentExecution execution =
        execute(TestingRuntimes.pipeline(passing), source(BATCHES, ROWS))) {
      long[] values =
          watch(
              () -> {
                long[] first = LongBatches.drain(execution.next());
                FragmentTestFailures.await(processed);
                takeMemory(64 << 10);
                return drain(execution, first);
              });
      assertArrayEquals(LongStream.range(0, BATCHES * ROWS).toArray(), values);
    }
    FragmentTestFailures.join(other);
    assertEquals(0, runtime.spilledBytes());
  }

  @Test
  void readsInputBackBeforeAComputeThreadNeedsIt() throws Exception {
    CountDownLatch begin = new CountDownLatch(1);
    OperatorFactory late =
        TestingOperator.mapping(
            values -> {
              FragmentTestFailures.await(begin);
              return new long[][] {values};
            });
    long start = System.nanoTime();
    List<Throwable> failures = new ArrayList<>();
    Thread other =
        new Thread(
            () -> {
              try {
                awaitOutput();
                takeMemory(2 << 20);
              } catch (RuntimeException | Error e) {
                failures.add(e);
              } finally {
                begin.countDown();
              }
            });
    other.start();
    try (FragmentExecution execution =
        execute(TestingRuntimes.grouped(7, late), source(BATCHES, ROWS))) {
      long[] rows = watch(() -> TestingRuntimes.drain(execution));
      assertArrayEquals(FragmentModel.grouped(LongStream.range(0, BATCHES * ROWS), 7), rows);
    }
    other.join();
    assertEquals(List.of(), failures);
    Set<String> readers =
        ThreadRecords.events().stream()
            .filter(event -> event.kind() == EventKind.READ_BACK && event.startNanos() > start)
            .map(Event::thread)
            .collect(Collectors.toSet());
    assertFalse(readers.isEmpty(), "nothing was read back");
    assertTrue(
        readers.stream().allMatch(name -> name.contains("-preload-") || name.contains("-read-")),
        readers.toString());
  }
}
