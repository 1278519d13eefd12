package io.ariadne.event;

import io.ariadne.columnar.buffer.MemoryTier;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The latest events of one thread. Only that thread writes; any thread may read. Writing takes no
 * lock and allocates nothing.
 *
 * <p>An event is four words. The writer announces the slot it is about to overwrite ({@code
 * writing}), writes, and then counts the event ({@code written}). A reader copies slots and keeps
 * those that the writer had not announced to overwrite by the time they were copied: the protocol
 * of a sequence lock, per slot.
 *
 * <pre>
 *   word 0  start in nanoseconds
 *   word 1  nanoseconds
 *   word 2  bytes
 *   word 3  node (32 bits) | from (8) | to (8) | kind (8), tiers as ordinal + 1, 0 for none
 * </pre>
 */
final class EventRing {
  /** Events kept; a power of two. */
  static final int CAPACITY = 4096;

  private static final int WORDS = 4;
  private static final EventKind[] KINDS = EventKind.values();
  private static final MemoryTier[] TIERS = MemoryTier.values();
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] slots = new long[CAPACITY * WORDS];

  /** Count, nanoseconds and bytes of each kind. */
  private final long[] sums = new long[KINDS.length * 3];

  /** One more than the number of the event that is being written, or was written last. */
  private final AtomicLong writing = new AtomicLong();

  /** Events that are complete. */
  private final AtomicLong written = new AtomicLong();

  /** Adds an event. Called by the owning thread. */
  void add(
      EventKind kind,
      int node,
      long startNanos,
      long nanos,
      long bytes,
      MemoryTier from,
      MemoryTier to) {
    long number = written.getPlain();
    int at = (int) (number & (CAPACITY - 1)) * WORDS;
    writing.setOpaque(number + 1);
    VarHandle.storeStoreFence();
    WORD.setOpaque(slots, at, startNanos);
    WORD.setOpaque(slots, at + 1, nanos);
    WORD.setOpaque(slots, at + 2, bytes);
    WORD.setOpaque(slots, at + 3, code(kind, node, from, to));
    written.setRelease(number + 1);
    int sum = kind.ordinal() * 3;
    WORD.setOpaque(sums, sum, sums[sum] + 1);
    WORD.setOpaque(sums, sum + 1, sums[sum + 1] + nanos);
    WORD.setOpaque(sums, sum + 2, sums[sum + 2] + bytes);
  }

  private static long code(EventKind kind, int node, MemoryTier from, MemoryTier to) {
    return ((long) node << 32) | (code(from) << 16) | (code(to) << 8) | kind.ordinal();
  }

  private static long code(MemoryTier tier) {
    return tier == null ? 0 : tier.ordinal() + 1;
  }

  /** Returns the number of events added so far. */
  long count() {
    return written.getAcquire();
  }

  /** Returns the totals of a kind. */
  EventTotals totals(EventKind kind) {
    int sum = kind.ordinal() * 3;
    return new EventTotals(
        (long) WORD.getOpaque(sums, sum),
        (long) WORD.getOpaque(sums, sum + 1),
        (long) WORD.getOpaque(sums, sum + 2));
  }

  /**
   * Returns the events from a number on that were not overwritten, the oldest first.
   *
   * @param from number of the first event, an earlier result of {@link #count}
   * @param thread the writer's name
   */
  List<Event> since(long from, String thread) {
    long end = count();
    long first = Math.max(from, end - CAPACITY);
    List<Event> events = new ArrayList<>();
    for (long number = first; number < end; number++) {
      int at = (int) (number & (CAPACITY - 1)) * WORDS;
      long start = (long) WORD.getOpaque(slots, at);
      long nanos = (long) WORD.getOpaque(slots, at + 1);
      long bytes = (long) WORD.getOpaque(slots, at + 2);
      long code = (long) WORD.getOpaque(slots, at + 3);
      VarHandle.loadLoadFence();
      if (writing.getOpaque() <= number + CAPACITY) {
        events.add(decode(thread, start, nanos, bytes, code));
      }
    }
    return events;
  }

  private static Event decode(String thread, long start, long nanos, long bytes, long code) {
    EventKind kind = KINDS[(int) code & 0xFF];
    int node = (int) (code >> 32);
    MemoryTier from = tier((int) (code >> 16) & 0xFF);
    MemoryTier to = tier((int) (code >> 8) & 0xFF);
    return new Event(kind, thread, node, start, nanos, bytes, from, to);
  }

  private static MemoryTier tier(int code) {
    return code == 0 ? null : TIERS[code - 1];
  }
}
