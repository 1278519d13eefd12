package io.ariadne.watch;

import io.ariadne.event.RoundFailures;
import io.ariadne.event.ThreadRecord;
import io.ariadne.event.ThreadRecords;
import io.ariadne.event.Threads;
import io.ariadne.event.Wait;
import io.ariadne.event.WorkOwner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that says who waits for what when work that a thread waits for has not got on for a
 * while, and again after each such while.
 *
 * <p>When none of the work gets on, it also ends one wait that may be ended without what is waited
 * for, such as a reservation's: that of the youngest work, which loses least. Whoever waited is
 * refused with the reason and gives up what it holds, which the others wait for. A wait that
 * nothing can end, of a native call say, is only told of.
 *
 * <p>A look that fails ends neither the thread nor what the look can still do: where the heap is
 * full and the report cannot be made, the wait is ended all the same. Looks at work that gets on
 * allocate nothing for it, and pauses nothing at all.
 */
public final class Watchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
  private static final int LOOKS_PER_PERIOD = 8;
  private static final int STACK_FRAMES = 12;

  /** What was seen of a piece of work. */
  private static final class Seen {
    /** How far it was. */
    private long progress;

    /** When it was first seen there, or last not waited for. */
    private long sinceNanos;

    /** When it was last told of, at first {@code sinceNanos}. */
    private long toldNanos;

    Seen(long progress, long now) {
      got(progress, now);
    }

    void got(long newProgress, long now) {
      progress = newProgress;
      sinceNanos = now;
      toldNanos = now;
    }
  }

  private final long periodNanos;
  private final Supplier<? extends Collection<? extends Watched>> work;
  private final Supplier<String> surroundings;
  private final Map<Watched, Seen> seen = new WeakHashMap<>();
  private final String refusal;
  private final RoundFailures failures;
  private final Thread thread;
  private volatile boolean closed;
  private volatile String lastReport = "";

  /**
   * Starts to watch.
   *
   * @param name of the thread
   * @param periodMillis how long work may stand still, at least 1
   * @param work what is watched, asked at each look
   * @param surroundings describes what the work shares: threads, pools and who holds them
   */
  public Watchdog(
      String name,
      long periodMillis,
      Supplier<? extends Collection<? extends Watched>> work,
      Supplier<String> surroundings) {
    this.periodNanos = TimeUnit.MILLISECONDS.toNanos(periodMillis);
    this.work = work;
    this.surroundings = surroundings;
    this.refusal =
        "which is refused because nothing got on for "
            + periodSeconds()
            + " s and this is the youngest work that waits";
    this.failures = new RoundFailures(LOG, name + " fails to look");
    this.thread = Threads.daemon(name, this::watch);
    thread.start();
  }

  /** Returns what was last told, empty when nothing was. */
  public String lastReport() {
    return lastReport;
  }

  private void watch() {
    while (pause()) {
      try {
        look(System.nanoTime());
        failures.succeeded();
      } catch (RuntimeException | Error e) {
        failures.failed(e);
      }
    }
  }

  /** Waits for the next look, without a lock, which would allocate; returns false at the end. */
  private boolean pause() {
    long end = System.nanoTime() + Math.max(1, periodNanos / LOOKS_PER_PERIOD);
    for (long left = end - System.nanoTime(); left > 0 && !closed; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      // One that stays pending would end all pauses.
      Thread.interrupted();
    }
    return !closed;
  }

  private void look(long now) {
    List<Watched> still = List.of();
    boolean isDue = false;
    boolean anyMoves = false;
    for (Watched each : work.get()) {
      Seen before = seen.get(each);
      long progress = each.progress();
      boolean hasMoved = before == null || before.progress != progress;
      if (before == null) {
        seen.put(each, new Seen(progress, now));
      } else if (hasMoved || !each.isAwaited()) {
        before.got(progress, now);
      } else if (now - before.sinceNanos >= periodNanos) {
        still = still.isEmpty() ? new ArrayList<>() : still;
        still.add(each);
        isDue |= now - before.toldNanos >= periodNanos;
      } else {
        anyMoves = true;
      }
      anyMoves |= hasMoved;
    }
    if (isDue) {
      still.forEach(each -> seen.get(each).toldNanos = now);
      act(still, anyMoves);
    }
  }

  /** Tells of work that stands still and, when nothing moves, ends a wait, told or not. */
  private void act(List<Watched> still, boolean anyMoves) {
    Set<Watched> owners = new HashSet<>(still);
    try {
      report(still, owners);
    } catch (RuntimeException | Error e) {
      failures.failed(e);
    }
    Wait wait = anyMoves ? null : youngestBreakable(owners);
    if (wait != null) {
      breakOff(wait);
    }
  }

  private void report(List<Watched> still, Set<Watched> owners) {
    StringBuilder text = new StringBuilder();
    text.append(still.size()).append(" fragments have not got on for ").append(periodSeconds());
    text.append(" s\n");
    still.forEach(each -> text.append(each.diagnosis()));
    text.append(surroundings.get());
    describeThreads(text, owners);
    LOG.warn("{}", text);
    lastReport = text.toString();
  }

  private long periodSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(periodNanos);
  }

  private static void describeThreads(StringBuilder text, Set<? extends WorkOwner> owners) {
    text.append("waits:\n");
    ThreadRecords.waits().forEach(wait -> text.append("  ").append(wait).append('\n'));
    text.append("threads at work:\n");
    for (ThreadRecord record : ThreadRecords.all()) {
      WorkOwner owner = record.owner();
      if (owner != null && owners.contains(owner) && record.currentWait() == null) {
        text.append("  ").append(record.threadName()).append('\n');
        StackTraceElement[] stack = record.thread().getStackTrace();
        for (int i = 0; i < Math.min(STACK_FRAMES, stack.length); i++) {
          text.append("      ").append(stack[i]).append('\n');
        }
      }
    }
  }

  /** Returns the wait that may be ended whose work is the youngest, null for none. */
  private Wait youngestBreakable(Set<? extends WorkOwner> owners) {
    Wait youngest = null;
    long now = System.nanoTime();
    for (Wait wait : ThreadRecords.waits()) {
      boolean mayEnd =
          wait.isBreakable()
              && owners.contains(wait.owner())
              && now - wait.startNanos() >= periodNanos / 2;
      if (mayEnd && (youngest == null || wait.ageNanos() - youngest.ageNanos() > 0)) {
        youngest = wait;
      }
    }
    return youngest;
  }

  private void breakOff(Wait wait) {
    wait.breakOff(refusal);
    LOG.warn("the youngest work that waits for memory is refused it: {}", wait);
  }

  /** Ends the thread and waits for that. Idempotent. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    Threads.join(thread);
  }
}
