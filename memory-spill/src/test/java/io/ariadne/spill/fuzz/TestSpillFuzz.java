package io.ariadne.spill.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.memory.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tasks by chance over the memory system: budgets hold, nothing stands still, nothing is left,
 * answers are right, whatever fails. The system property {@code ariadne.test.tasks} says how many,
 * {@code ariadne.test.seed} replays: what is drawn depends on the seed alone, though the order in
 * which threads meet does not.
 */
class TestSpillFuzz {
  private static final int TASKS = Integer.getInteger("ariadne.test.tasks", 4000);
  private static final int TASKS_PER_SYSTEM = 500;
  private static final long STANDSTILL_MILLIS = 60_000;

  /** Tears neighbouring seeds apart: their generators begin alike. */
  private static final long SCRAMBLE = 0x9E3779B97F4A7C15L;

  @TempDir private Path folder;

  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger completed = new AtomicInteger();

  @Test
  void leavesNothingAfterManyTasks() throws Exception {
    long first = Long.getLong("ariadne.test.seed", System.nanoTime());
    System.out.println("replay with -Dariadne.test.seed=" + first);
    long moved = 0;
    int faults = 0;
    for (int from = 0; from < TASKS; from += TASKS_PER_SYSTEM) {
      long seed = (first + from) * SCRAMBLE;
      FuzzedMemory memory = new FuzzedMemory(new Random(seed), folder);
      try {
        run(memory, seed, from + TASKS_PER_SYSTEM);
        memory.checkAndClose();
      } catch (Throwable t) {
        throw new AssertionError(
            "failed after task " + from + " with -Dariadne.test.seed=" + first, t);
      }
      moved += memory.controller.movedBatches();
      faults += memory.faults.count();
    }
    System.out.println(
        completed + " tasks of " + done + " completed, " + moved + " moves, " + faults + " faults");
    assertTrue(completed.get() > TASKS / 2, completed + " tasks completed");
    assertTrue(moved > TASKS / 40, moved + " batches moved");
    assertTrue(faults > TASKS / 400, faults + " faults");
    assertNothingLeft();
  }

  private void run(FuzzedMemory memory, long seed, int end) throws InterruptedException {
    threads.clear();
    Random random = new Random(seed + 1);
    int count = 2 + random.nextInt(5);
    for (int i = 0; i < count; i++) {
      threads.add(new Thread(() -> work(memory, seed, end), "fuzz-" + i));
    }
    threads.forEach(Thread::start);
    int seen = -1;
    long since = System.nanoTime();
    while (threads.stream().anyMatch(Thread::isAlive)) {
      threads.get(0).join(5);
      if (seen != done.get()) {
        seen = done.get();
        since = System.nanoTime();
      }
      if (System.nanoTime() - since > STANDSTILL_MILLIS * 1_000_000) {
        throw new AssertionError("nothing moves: " + memory.describe() + '\n' + stacks());
      }
      if (random.nextInt(8) == 0) {
        threads.get(random.nextInt(count)).interrupt();
      }
    }
    next.set(end);
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AssertionError(memory.describe(), thrown);
    }
  }

  private void work(FuzzedMemory memory, long seed, int end) {
    try {
      for (int task = next.getAndIncrement();
          task < end && failure.get() == null;
          task = next.getAndIncrement()) {
        if (new FuzzTask(memory, (seed + task) * SCRAMBLE).run()) {
          completed.incrementAndGet();
        }
        done.incrementAndGet();
        Thread.interrupted();
      }
    } catch (Throwable t) {
      failure.compareAndSet(null, t);
    }
  }

  private static String stacks() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
      text.append(each.getKey()).append('\n');
      for (StackTraceElement frame : each.getValue()) {
        text.append("    ").append(frame).append('\n');
      }
    }
    return text.toString();
  }

  /** Fails when a thread or a file is left of any system. */
  private void assertNothingLeft() throws IOException {
    Await.until(
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("ariadne-spill")));
    try (Stream<Path> files = Files.walk(folder)) {
      assertEquals(0L, files.filter(Files::isRegularFile).count(), "files with names");
    }
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      List<String> ours =
          open.map(TestSpillFuzz::target).filter(file -> file.contains(folder.toString())).toList();
      assertEquals(List.of(), ours, "open files");
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      // Closed since it was listed.
      return "";
    }
  }
}
