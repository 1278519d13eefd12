package io.ariadne.event;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A thread's wait for something: from {@link ThreadRecord#await} until {@link #close}, by the same
 * thread. Waits within waits are told of by the innermost.
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

  /** Returns what is waited for. */
  public WaitKind kind() {
    return kind;
  }

  /** Returns when the wait began, by {@link System#nanoTime}. */
  public long startNanos() {
    return startNanos;
  }

  /** Returns whom the thread works for that waits, or null. */
  public WorkOwner owner() {
    return owner;
  }

  /** Returns how old the work is that waits: when its owner began, else when the wait did. */
  public long ageNanos() {
    return owner == null ? startNanos : owner.startNanos();
  }

  /** Returns whether somebody else may end the wait without what is waited for. */
  public boolean isBreakable() {
    return breaker != null;
  }

  /**
   * Ends the wait without what is waited for; no effect when it is over.
   *
   * @param reason told to who waits
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

  /** Describes who waits for what and how long. */
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
