package io.ariadne.watch;

import io.ariadne.event.ThreadRecord;
import io.ariadne.event.ThreadRecords;
import io.ariadne.event.Threads;
import io.ariadne.event.Wait;
import io.ariadne.event.WorkOwner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that says who waits for what when work that somebody waits for has not got on for a
 * while, and again after each such while.
 *
 * <p>When none of the work gets on, it also ends one wait that may be ended without what is waited
 * for, such as a reservation's: that of the youngest work, which loses least. Whoever waited is
 * refused with the reason and gives up what it holds, which the others wait for. A wait that
 * nothing can end, of a native call say, is only told of.
 */
public final class Watchdog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
  private static final int LOOKS_PER_PERIOD = 8;
  private static final int STACK_FRAMES = 12;

  /**
   * What was seen of a piece of work.
   *
   * @param progress how far it was
   * @param sinceNanos when it was first seen there, or last not waited for
   * @param toldNanos when it was last told of, at first {@code sinceNanos}
   */
  private record Seen(long progress, long sinceNanos, long toldNanos) {}

  private final long periodNanos;
  private final Supplier<? extends Collection<? extends Watched>> work;
  private final Supplier<String> surroundings;
  private final Map<Watched, Seen> seen = new WeakHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final Thread thread;
  private boolean closed;
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
      } catch (RuntimeException e) {
        LOG.warn("{} fails to look", thread.getName(), e);
      }
    }
  }

  /** Waits for the next look; returns false at the end. */
  private boolean pause() {
    lock.lock();
    try {
      long nanos = Math.max(1, periodNanos / LOOKS_PER_PERIOD);
      while (!closed && nanos > 0) {
        nanos = ended.awaitNanos(nanos);
      }
      return !closed;
    } catch (InterruptedException e) {
      LOG.warn("{} is interrupted by somebody", thread.getName());
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void look(long now) {
    List<Watched> still = new ArrayList<>();
    boolean isDue = false;
    boolean anyMoves = false;
    for (Watched each : work.get()) {
      Seen before = seen.get(each);
      long progress = each.progress();
      boolean hasMoved = before == null || before.progress() != progress;
      if (hasMoved || !each.isAwaited()) {
        seen.put(each, new Seen(progress, now, now));
        anyMoves |= hasMoved;
      } else if (now - before.sinceNanos() >= periodNanos) {
        still.add(each);
        isDue |= now - before.toldNanos() >= periodNanos;
      } else {
        anyMoves = true;
      }
    }
    if (isDue) {
      for (Watched each : still) {
        seen.computeIfPresent(
            each, (key, before) -> new Seen(before.progress(), before.sinceNanos(), now));
      }
      report(still, anyMoves);
    }
  }

  private void report(List<Watched> still, boolean anyMoves) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(periodNanos);
    StringBuilder text = new StringBuilder();
    text.append(still.size()).append(" fragments have not got on for ").append(seconds);
    text.append(" s\n");
    still.forEach(each -> text.append(each.diagnosis()));
    text.append(surroundings.get());
    describeThreads(text, new HashSet<>(still));
    LOG.warn("{}", text);
    lastReport = text.toString();
    if (!anyMoves) {
      youngestBreakable(new HashSet<>(still)).ifPresent(wait -> breakOff(wait, seconds));
    }
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

  private Optional<Wait> youngestBreakable(Set<? extends WorkOwner> owners) {
    long now = System.nanoTime();
    return ThreadRecords.waits().stream()
        .filter(wait -> wait.isBreakable() && owners.contains(wait.owner()))
        .filter(wait -> now - wait.startNanos() >= periodNanos / 2)
        .max(Comparator.comparingLong(wait -> wait.ageNanos() - now));
  }

  private static void breakOff(Wait wait, long seconds) {
    LOG.warn("the youngest work that waits for memory is refused it: {}", wait);
    wait.breakOff(
        "which is refused because nothing got on for "
            + seconds
            + " s and this is the youngest work that waits");
  }

  /** Ends the thread and waits for that. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      ended.signal();
    } finally {
      lock.unlock();
    }
    Threads.join(thread);
  }
}
