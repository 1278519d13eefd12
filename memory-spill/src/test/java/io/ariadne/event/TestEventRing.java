package io.ariadne.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryTier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestEventRing {
  private final EventRing ring = new EventRing();

  private static Event expected(long i) {
    EventKind kind = EventKind.values()[(int) (i % EventKind.values().length)];
    MemoryTier from = i % 5 == 4 ? null : MemoryTier.values()[(int) (i % 5) % 4];
    MemoryTier to = i % 3 == 2 ? null : MemoryTier.values()[(int) (i % 3)];
    return new Event(kind, "t", (int) (i % 1000) - 1, i * 7, i * 11, i * 13, from, to);
  }

  private void add(long i) {
    Event e = expected(i);
    ring.add(e.kind(), e.node(), e.startNanos(), e.nanos(), e.bytes(), e.from(), e.to());
  }

  @Test
  void latestEventsAreKept() {
    List<Event> all = new ArrayList<>();
    for (long i = 0; i < EventRing.CAPACITY * 2 + 17; i++) {
      add(i);
      all.add(expected(i));
    }
    assertEquals(all.subList(all.size() - EventRing.CAPACITY, all.size()), ring.since(0, "t"));
    assertEquals(all.subList(all.size() - 5, all.size()), ring.since(all.size() - 5, "t"));
    for (EventKind kind : EventKind.values()) {
      EventTotals sum = EventTotals.NONE;
      for (Event event : all) {
        if (event.kind() == kind) {
          sum = sum.plus(new EventTotals(1, event.nanos(), event.bytes()));
        }
      }
      assertEquals(sum, ring.totals(kind));
    }
  }

  /** A reader sees whole events in order, however fast the writer is. */
  @Test
  void readerSeesWholeEvents() throws InterruptedException {
    Thread writer =
        new Thread(
            () -> {
              for (long i = 0; i < 2_000_000; i++) {
                add(i);
              }
            });
    writer.start();
    long seen = 0;
    while (writer.isAlive()) {
      long before = -1;
      for (Event event : ring.since(0, "t")) {
        long number = event.startNanos() / 7;
        assertEquals(expected(number), event);
        assertTrue(number > before);
        before = number;
        seen++;
      }
    }
    writer.join();
    assertTrue(seen > 0);
    assertEquals(EventRing.CAPACITY, ring.since(0, "t").size());
  }
}
