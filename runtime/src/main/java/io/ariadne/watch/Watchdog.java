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
 * Reports work that a thread waits for and that makes no progress for a period, and repeats the
 * report after each further period. A report says which thread waits for what.
 *
 * <p>If no work at all makes progress, the watchdog also ends one breakable wait, such as that for
 * a reservation. It chooses the wait of the youngest work, which loses least. The waiting thread is
 * refused with the reason and releases what it holds, for which the other work waits. A wait that
 * cannot be broken, such as a native call, is only reported.
 *
 * <p>An error during a check ends neither the thread nor the rest of the check: if the heap is full
 * and the report cannot be built, the watchdog still ends a wait. A check allocates nothing for
 * work that makes progress; a pause allocates nothing at all.
 */
public final class Watchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
  private static final int CHECKS_PER_PERIOD = 8;
  private static final int STACK_FRAMES = 12;

  /** What the last check saw of a piece of work. */
  private static final class Observation {
    /** Its progress. */
    private long progress;

    /** When it was first seen with this progress, or last without a waiting thread. */
    private long sinceNanos;

    /** When it was last reported; initially {@code sinceNanos}. */
    private long reportedNanos;

    Observation(long progress, long now) {
      update(progress, now);
    }

    void update(long newProgress, long now) {
      progress = newProgress;
      sinceNanos = now;
      reportedNanos = now;
    }
  }

  private final long periodNanos;
  private final Supplier<? extends Collection<? extends Watched>> work;
  private final Supplier<String> sharedState;
  private final Map<Watched, Observation> seen = new WeakHashMap<>();
  private final String refusal;
  private final RoundFailures failures;
  private final Thread thread;
  private volatile boolean closed;
  private volatile String lastReport = "";

  /**
   * Starts the thread.
   *
   * @param name name of the thread
   * @param periodMillis how long work may make no progress, at least 1
   * @param work supplies the watched work at each check
   * @param sharedState describes what the work shares: threads, pools and reservations
   */
  public Watchdog(
      String name,
      long periodMillis,
      Supplier<? extends Collection<? extends Watched>> work,
      Supplier<String> sharedState) {
    this.periodNanos = TimeUnit.MILLISECONDS.toNanos(periodMillis);
    this.work = work;
    this.sharedState = sharedState;
    this.refusal =
        "which is refused because no work made progress for "
            + periodSeconds()
            + " s and this is the youngest work that waits";
    this.failures = new RoundFailures(LOG, name + " fails to check");
    this.thread = Threads.daemon(name, this::watch);
    thread.start();
  }

  /** Returns the last report; empty if there was none. */
  public String lastReport() {
    return lastReport;
  }

  private void watch() {
    while (pause()) {
      try {
        check(System.nanoTime());
        failures.succeeded();
      } catch (RuntimeException | Error e) {
        failures.failed(e);
      }
    }
  }

  /**
   * Waits for the next check, without a lock, which would allocate; returns false after {@link
   * #close}.
   */
  private boolean pause() {
    long end = System.nanoTime() + Math.max(1, periodNanos / CHECKS_PER_PERIOD);
    for (long left = end - System.nanoTime(); left > 0 && !closed; left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
      // A pending interrupt would end all pauses at once.
      Thread.interrupted();
    }
    return !closed;
  }

  private void check(long now) {
    List<Watched> stalled = List.of();
    boolean isReportDue = false;
    boolean anyProgress = false;
    for (Watched each : work.get()) {
      Observation before = seen.get(each);
      long progress = each.progress();
      boolean hasProgressed = before == null || before.progress != progress;
      if (before == null) {
        seen.put(each, new Observation(progress, now));
      } else if (hasProgressed || !each.isAwaited()) {
        before.update(progress, now);
      } else if (now - before.sinceNanos >= periodNanos) {
        stalled = stalled.isEmpty() ? new ArrayList<>() : stalled;
        stalled.add(each);
        isReportDue |= now - before.reportedNanos >= periodNanos;
      } else {
        anyProgress = true;
      }
      anyProgress |= hasProgressed;
    }
    if (isReportDue) {
      stalled.forEach(each -> seen.get(each).reportedNanos = now);
      act(stalled, anyProgress);
    }
  }

  /**
   * Reports work without progress. If no work makes progress, also ends a wait, even if the report
   * failed.
   */
  private void act(List<Watched> stalled, boolean anyProgress) {
    Set<Watched> owners = new HashSet<>(stalled);
    try {
      report(stalled, owners);
    } catch (RuntimeException | Error e) {
      failures.failed(e);
    }
    Wait wait = anyProgress ? null : youngestBreakable(owners);
    if (wait != null) {
      breakWait(wait);
    }
  }

  private void report(List<Watched> stalled, Set<Watched> owners) {
    StringBuilder text = new StringBuilder();
    text.append(stalled.size())
        .append(" fragments have made no progress for ")
        .append(periodSeconds());
    text.append(" s\n");
    stalled.forEach(each -> text.append(each.diagnosis()));
    text.append(sharedState.get());
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
    text.append("working threads:\n");
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

  /** Returns the breakable wait of the youngest work; null for none. */
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

  private void breakWait(Wait wait) {
    wait.breakOff(refusal);
    LOG.warn("ended the wait of the youngest waiting work: {}", wait);
  }

  /** Stops the thread and waits for its end. Idempotent. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    Threads.join(thread);
  }
}
