package io.ariadne.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryTier;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestThreadRecord {
  private final ThreadRecord record = ThreadRecord.current();

  /** Notes what it is told. */
  private static final class Owner implements WorkOwner {
    final List<String> told = new ArrayList<>();

    @Override
    public String description() {
      return "owner";
    }

    @Override
    public long startNanos() {
      return 5;
    }

    @Override
    public void waited(int node, WaitKind kind, long nanos) {
      told.add(node + " " + kind);
      assertTrue(nanos >= 0);
    }

    @Override
    public void spilled(int node, long bytes, long diskBytes, long nanos) {}

    @Override
    public void readBack(int node, long bytes, long nanos) {}
  }

  /** The innermost wait is what a thread waits for, the outermost is what its owner pays. */
  @Test
  void reportsInnermostAndOutermostWaits() {
    Owner owner = new Owner();
    assertNull(record.workFor(owner));
    record.workOn(3);
    Wait outer = record.await(WaitKind.MOVE, "outer", 0, null);
    Wait inner = record.await(WaitKind.DISK, "inner", 10, reason -> owner.told.add(reason));
    assertEquals(inner, record.currentWait());
    assertTrue(ThreadRecords.waits().contains(inner));
    assertTrue(inner.toString().contains("inner (DISK)"), inner.toString());
    assertTrue(inner.toString().contains("working for owner"), inner.toString());
    assertEquals(5, inner.ageNanos());
    inner.breakOff("reason");
    inner.close();
    inner.close();
    assertEquals(outer, record.currentWait());
    outer.close();
    assertNull(record.currentWait());
    assertEquals(List.of("reason", "3 MOVE"), owner.told);
    assertEquals(owner, record.workFor(null));
    assertEquals(-1, record.node());
  }

  /** A pause gives the permit back, and the thread has it again even when the pause throws. */
  @Test
  void pausesWithoutItsPermit() {
    List<String> calls = new ArrayList<>();
    WorkPermit permit =
        new WorkPermit() {
          @Override
          public void giveBack() {
            calls.add("give back");
          }

          @Override
          public void takeAgain() {
            calls.add("take again");
          }
        };
    WorkPermit before = record.workBy(permit);
    try {
      assertEquals(List.of("give back"), record.withoutPermit(() -> List.copyOf(calls)));
      assertEquals(List.of("give back", "take again"), calls);
      assertThrows(
          IOException.class,
          () ->
              record.withoutPermit(
                  () -> {
                    throw new IOException("lost");
                  }));
      assertEquals(List.of("give back", "take again", "give back", "take again"), calls);
    } finally {
      record.workBy(before);
    }
  }

  @Test
  void totalsOutliveThreads() throws InterruptedException {
    EventTotals before = ThreadRecords.totals(EventKind.COPY);
    for (int i = 0; i < 100; i++) {
      Thread thread =
          new Thread(
              () ->
                  ThreadRecord.current()
                      .ended(EventKind.COPY, 0, 7, MemoryTier.HOST, MemoryTier.DEVICE));
      thread.start();
      thread.join();
    }
    EventTotals added = ThreadRecords.totals(EventKind.COPY).minus(before);
    assertEquals(100, added.count());
    assertEquals(700, added.bytes());
    assertTrue(ThreadRecords.all().size() < 60, "threads that ended are forgotten");
  }

  @Test
  void writesAChromeTrace() throws IOException {
    List<Event> events =
        List.of(
            new Event(EventKind.TASK, "a \"b\"", 3, 1_000_000, 2500, 0, null, null),
            new Event(
                EventKind.SPILL, "c", -1, 1_004_000, 10, 99, MemoryTier.HOST, MemoryTier.DISK),
            new Event(EventKind.READ, "c", -1, 1_005_000, 2000, 64, null, MemoryTier.HOST),
            new Event(EventKind.FETCH, "c", -1, 1_006_000, 500, 8, null, MemoryTier.HOST));
    StringWriter out = new StringWriter();
    ChromeTrace.write(events, 42, out);
    assertEquals(
        "[\n"
            + "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":42,\"tid\":1,"
            + "\"args\":{\"name\":\"a \\\"b\\\"\"}},\n"
            + "{\"ph\":\"X\",\"name\":\"TASK\",\"pid\":42,\"tid\":1,\"ts\":0.000,\"dur\":2.500,"
            + "\"args\":{\"node\":3,\"bytes\":0}},\n"
            + "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":42,\"tid\":2,"
            + "\"args\":{\"name\":\"c\"}},\n"
            + "{\"ph\":\"X\",\"name\":\"SPILL\",\"pid\":42,\"tid\":2,\"ts\":4.000,\"dur\":0.010,"
            + "\"args\":{\"node\":-1,\"bytes\":99,\"from\":\"HOST\",\"to\":\"DISK\"}},\n"
            + "{\"ph\":\"b\",\"cat\":\"READ\",\"name\":\"READ\",\"id\":1,\"pid\":42,\"tid\":2,"
            + "\"ts\":5.000,\"args\":{\"bytes\":64}},\n"
            + "{\"ph\":\"e\",\"cat\":\"READ\",\"name\":\"READ\",\"id\":1,\"pid\":42,\"tid\":2,"
            + "\"ts\":7.000},\n"
            + "{\"ph\":\"b\",\"cat\":\"FETCH\",\"name\":\"FETCH\",\"id\":2,\"pid\":42,\"tid\":2,"
            + "\"ts\":6.000,\"args\":{\"bytes\":8}},\n"
            + "{\"ph\":\"e\",\"cat\":\"FETCH\",\"name\":\"FETCH\",\"id\":2,\"pid\":42,\"tid\":2,"
            + "\"ts\":6.500}\n"
            + "]\n",
        out.toString());
  }
}
