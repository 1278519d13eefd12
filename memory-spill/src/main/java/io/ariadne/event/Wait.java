package io.ariadne.event;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A registered wait of a thread, from {@link ThreadRecord#await} until {@link #close} by the same
 * thread. Of nested waits the innermost is reported.
 */
public final class Wait implements AutoCloseable {
  private final ThreadRecord record;
  private final Wait outer;
  private final WaitKind kind;
  private final Object what;
  private final long bytes;
  private final Consumer<String> breaker;
  private final WorkOwner owner;
  private final long startNanos = System.nanoTime();
  private boolean closed;

  Wait(
      ThreadRecord record,
      Wait outer,
      WaitKind kind,
      Object what,
      long bytes,
      Consumer<String> breaker) {
    this.record = record;
    this.outer = outer;
    this.kind = kind;
    this.what = what;
    this.bytes = bytes;
    this.breaker = breaker;
    this.owner = record.owner();
  }

  /** Returns what the thread waits for. */
  public WaitKind kind() {
    return kind;
  }

  /** Returns when the wait began, by {@link System#nanoTime}. */
  public long startNanos() {
    return startNanos;
  }

  /** Returns the owner of the waiting thread's work, or null. */
  public WorkOwner owner() {
    return owner;
  }

  /** Returns when the waiting work began: the start of its owner, otherwise of the wait. */
  public long ageNanos() {
    return owner == null ? startNanos : owner.startNanos();
  }

  /** Returns whether another thread may end the wait early. */
  public boolean isBreakable() {
    return breaker != null;
  }

  /**
   * Ends a breakable wait early; no effect when it is over.
   *
   * @param reason part of the waiting thread's failure
   */
  public void breakOff(String reason) {
    breaker.accept(reason);
  }

  Wait outer() {
    return outer;
  }

  long bytes() {
    return bytes;
  }

  /** Ends the wait. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      record.waited(this);
    }
  }

  /** Describes the thread, what it waits for and how long. */
  @Override
  public String toString() {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    return record.threadName()
        + " waits for "
        + what
        + " ("
        + kind
        + ") for "
        + millis
        + " ms"
        + (owner == null ? "" : ", working for " + owner.description());
  }
}
