package io.ariadne.event;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The records of all threads of the process. Of ended threads only the totals stay, so that the
 * memory is bounded by the number of threads. Thread-safe.
 */
public final class ThreadRecords {
  /** How many new records trigger the removal of records of ended threads. */
  private static final int FORGET_EVERY = 16;

  private static final Set<ThreadRecord> RECORDS = ConcurrentHashMap.newKeySet();
  private static final Map<EventKind, EventTotals> ENDED = new EnumMap<>(EventKind.class);

  @GuardedBy("ENDED")
  private static int opened;

  private ThreadRecords() {}

  /** Creates the calling thread's record. */
  static ThreadRecord open() {
    ThreadRecord record = new ThreadRecord(Thread.currentThread());
    synchronized (ENDED) {
      if (++opened % FORGET_EVERY == 0) {
        forgetEnded();
      }
      RECORDS.add(record);
    }
    return record;
  }

  @GuardedBy("ENDED")
  private static void forgetEnded() {
    for (ThreadRecord record : RECORDS) {
      if (!record.thread().isAlive()) {
        RECORDS.remove(record);
        for (EventKind kind : EventKind.values()) {
          ENDED.merge(kind, record.totals(kind), EventTotals::plus);
        }
      }
    }
  }

  /** Returns the records of threads that are alive or ended lately. */
  public static List<ThreadRecord> all() {
    return List.copyOf(RECORDS);
  }

  /** Returns the waits that threads are in now, the longest wait first. */
  public static List<Wait> waits() {
    List<Wait> waits = new ArrayList<>();
    for (ThreadRecord record : RECORDS) {
      Wait wait = record.currentWait();
      if (wait != null && record.thread().isAlive()) {
        waits.add(wait);
      }
    }
    long now = System.nanoTime();
    waits.sort(Comparator.comparingLong(each -> each.startNanos() - now));
    return waits;
  }

  /** Returns the totals of all events of a kind since the process began. */
  public static EventTotals totals(EventKind kind) {
    synchronized (ENDED) {
      EventTotals sum = ENDED.getOrDefault(kind, EventTotals.NONE);
      for (ThreadRecord record : RECORDS) {
        sum = sum.plus(record.totals(kind));
      }
      return sum;
    }
  }

  /** Returns the latest events of all threads in the order in which they began. */
  public static List<Event> events() {
    List<Event> events = new ArrayList<>();
    RECORDS.forEach(record -> events.addAll(record.eventsSince(0)));
    long now = System.nanoTime();
    events.sort(Comparator.comparingLong(event -> event.startNanos() - now));
    return events;
  }
}
