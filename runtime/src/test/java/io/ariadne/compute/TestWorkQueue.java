package io.ariadne.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Counts runs on a clock of its own: nothing here depends on how fast anything is. */
class TestWorkQueue {
  private static final long RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final WorkQueue queue = new WorkQueue();
  private long now = 12345;

  private record Task(String query, Object owner, int distance, long taskRank) implements WorkItem {
    @Override
    public void run() {}
  }

  /** Returns an owner: these are compared by identity. */
  private static String owner(String query, int partition) {
    return (query + "-" + partition).intern();
  }

  private Task add(String query, int distance, int partition) {
    Task task = new Task(query, owner(query, partition), distance, partition);
    queue.add(task, now);
    return task;
  }

  /** Runs one work item for some time and queues it again; returns its query. */
  private String runNext(Map<String, Long> nanosOf) {
    WorkQueue.Taken taken = queue.poll(now);
    String query = (String) taken.item().query();
    long nanos = nanosOf.getOrDefault(query, RUN_NANOS);
    now += nanos;
    queue.add(taken.item(), now);
    queue.ended(taken, nanos);
    return query;
  }

  private Map<String, Integer> run(int count, Map<String, Long> nanosOf) {
    Map<String, Integer> runs = new HashMap<>();
    for (int i = 0; i < count; i++) {
      runs.merge(runNext(nanosOf), 1, Integer::sum);
    }
    return runs;
  }

  @Test
  void ordersWorkOfOneQuery() {
    List<Task> expected = new ArrayList<>();
    Task late = add("q", 1, 0);
    Task far = add("q", 2, 0);
    Task high = add("q", 0, 7);
    Task low = add("q", 0, 3);
    Task lowLater = add("q", 0, 3);
    expected.addAll(List.of(low, lowLater, high, late, far));
    for (Task task : expected) {
      WorkQueue.Taken taken = queue.poll(now);
      assertEquals(task, taken.item());
      queue.ended(taken, RUN_NANOS);
    }
    assertNull(queue.poll(now));
    assertEquals(0, queue.size());
  }

  /** A query with a hundred tasks gets no more than one with a single one. */
  @Test
  void sharesThreadsEvenlyAmongQueries() {
    for (int i = 0; i < 100; i++) {
      add("many", 0, i);
    }
    run(30, Map.of());
    add("one", 5, 0);
    Map<String, Integer> runs = run(100, Map.of());
    assertTrue(Math.abs(runs.get("one") - runs.get("many")) <= 2, runs.toString());
  }

  /** What is shared is time: short tasks run the more often. */
  @Test
  void sharesTimeEvenlyAmongQueries() {
    add("long", 0, 0);
    add("short", 0, 0);
    Map<String, Integer> runs = run(440, Map.of("short", RUN_NANOS / 10));
    assertEquals(40, runs.get("long"), 3);
    assertEquals(400, runs.get("short"), 3);
  }

  /** A query that did nothing for long has not saved time up, nor is it behind. */
  @Test
  void forfeitsTimeOfAnIdleQuery() {
    add("back", 0, 0);
    add("busy", 0, 0);
    run(10, Map.of());
    queue.withdraw("back-0");
    run(1000, Map.of());
    add("back", 0, 0);
    Map<String, Integer> runs = run(20, Map.of());
    assertEquals(10, runs.get("back"), 1);
  }

  /** A new query runs first or second. */
  @Test
  void runsANewQuerySoon() {
    for (int i = 0; i < 50; i++) {
      add("busy", 0, i);
    }
    run(200, Map.of());
    add("new", 9, 9);
    List<String> order = List.of(runNext(Map.of()), runNext(Map.of()));
    assertTrue(order.contains("new"), order.toString());
  }

  /** Threads that choose before any work item has ended choose different queries. */
  @Test
  void spreadsThreadsOverQueries() {
    for (int i = 0; i < 4; i++) {
      add("a", 0, i);
      add("b", 0, i);
    }
    Map<Object, Integer> chosen = new HashMap<>();
    for (int i = 0; i < 4; i++) {
      chosen.merge(queue.poll(now).item().query(), 1, Integer::sum);
    }
    assertEquals(Map.of("a", 2, "b", 2), chosen);
  }

  /** Endless work near the output does not keep the rest of the query from running. */
  @Test
  void runsOverdueWork() {
    add("q", 0, 0);
    Task far = new Task("q", "far", 3, 9);
    queue.add(far, now);
    int runs = 0;
    while (queue.size() == 2) {
      WorkQueue.Taken taken = queue.poll(now);
      now += RUN_NANOS;
      if (taken.item() != far) {
        queue.add(taken.item(), now);
      }
      queue.ended(taken, RUN_NANOS);
      runs++;
    }
    assertEquals(WorkQueue.OVERDUE_MILLIS / 20 + 2, runs, 1);
  }

  @Test
  void refusesHelpersWhileOtherWorkComesFirst() {
    add("q", 0, 3);
    assertNull(queue.pollOf("q-4"), "none of its own");
    add("q", 0, 2);
    assertNull(queue.pollOf("q-3"), "a task of lower rank waits");
    queue.ended(queue.pollOf("q-2"), 10 * RUN_NANOS);
    queue.ended(queue.pollOf("q-3"), 10 * RUN_NANOS);
    add("q", 0, 3);
    Task other = add("other", 0, 0);
    // a query that comes starts where the least is: both have had as much
    WorkQueue.Taken taken = queue.pollOf("q-3");
    queue.ended(taken, 10 * RUN_NANOS);
    add("q", 0, 3);
    assertNull(queue.pollOf("q-3"), "another query has had less time");
    assertEquals(other, queue.poll(now).item());
  }

  @Test
  void withdrawsTheWorkOfAnOwner() {
    add("q", 0, 1);
    add("q", 1, 1);
    add("q", 0, 2);
    assertEquals(2, queue.withdraw("q-1"));
    assertEquals(0, queue.withdraw("q-1"));
    assertEquals(1, queue.size());
    assertEquals("q-2", queue.poll(now).item().owner());
    assertNull(queue.poll(now));
  }

  /** Queries that have ended are forgotten. */
  @Test
  void forgetsEndedQueries() {
    for (int i = 0; i < 1000; i++) {
      add("q" + i, 0, 0);
      queue.ended(queue.poll(now), RUN_NANOS);
    }
    assertTrue(queue.queryCount() < 3, queue.describe());
  }

  /** Whatever comes and goes: all that was added comes out, once. */
  @Test
  void survivesRandomOperations() {
    Random random = new Random(Long.getLong("ariadne.test.seed", 1));
    int inside = 0;
    List<WorkQueue.Taken> running = new ArrayList<>();
    for (int step = 0; step < 20_000; step++) {
      now += random.nextInt((int) RUN_NANOS);
      String query = "q" + random.nextInt(5);
      int partition = random.nextInt(4);
      WorkQueue.Taken taken = null;
      switch (random.nextInt(6)) {
        case 0, 1 -> {
          add(query, random.nextInt(3), partition);
          inside++;
        }
        case 2 -> taken = queue.pollOf(owner(query, partition));
        case 3 -> taken = queue.poll(now);
        case 4 -> {
          if (random.nextInt(20) == 0) {
            inside -= queue.withdraw(owner(query, partition));
          }
        }
        default -> {
          if (!running.isEmpty()) {
            queue.ended(running.remove(0), random.nextInt((int) RUN_NANOS));
          }
        }
      }
      if (taken != null) {
        running.add(taken);
        inside--;
      }
      assertEquals(inside, queue.size());
    }
    for (; inside > 0; inside--) {
      queue.ended(queue.poll(now), 1);
    }
    assertNull(queue.poll(now));
  }
}
