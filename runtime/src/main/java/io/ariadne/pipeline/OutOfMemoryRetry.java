package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.spill.SpillPlacement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Repeats an operator call that found no memory, after pauses that grow. The call takes a batch or
 * none. A batch is offered until the operator has processed all its rows; it may be spilled during
 * the pauses, and after {@value #ATTEMPTS} attempts the operator gets its rows in halves. Used by
 * one thread at a time.
 *
 * <p>The n-th pause is 4<sup>n-1</sup> times as long as the first, up to the {@value #ATTEMPTS}th.
 */
final class OutOfMemoryRetry implements AutoCloseable {
  /** Attempts with the same rows before they are halved. */
  private static final int ATTEMPTS = 5;

  private static final CompletableFuture<Void> OVER = CompletableFuture.completedFuture(null);

  private final BatchQueue queue;
  private final BufferAllocator allocator;
  private final long firstPauseMillis;
  private final Deque<QueuedBatch> parts = new ArrayDeque<>();
  private final long startNanos = System.nanoTime();
  private int attempts;
  private int retries;
  private boolean hasSplit;
  private int leastRows = Integer.MAX_VALUE;
  private CompletableFuture<Void> pause = OVER;

  /**
   * Creates a retry without rows.
   *
   * @param queue keeps the rows during pauses
   * @param allocator allocates the halves
   * @param firstPauseMillis length of the first pause
   */
  OutOfMemoryRetry(BatchQueue queue, BufferAllocator allocator, long firstPauseMillis) {
    this.queue = queue;
    this.allocator = allocator;
    this.firstPauseMillis = firstPauseMillis;
  }

  /** Creates a retry of calls that take no batch. */
  static OutOfMemoryRetry ofCall(long firstPauseMillis) {
    return new OutOfMemoryRetry(null, null, firstPauseMillis);
  }

  /**
   * Schedules a repetition of a call that takes no batch.
   *
   * @param mayRepeat whether the call may be repeated, see {@link
   *     io.ariadne.operator.Repeatable#mayRepeat}
   * @param reason what the call threw
   * @return what to wait for before the call is repeated
   * @throws EngineException the reason, if the call may not be repeated; another one after too many
   *     attempts
   */
  CompletableFuture<Void> postponeCall(boolean mayRepeat, EngineException reason) {
    if (!mayRepeat || !EngineException.isOutOfMemory(reason)) {
      throw reason;
    }
    if (!postpone()) {
      throw failure(reason, "");
    }
    return pause;
  }

  /** Returns whether the pause is over. */
  boolean isDue() {
    return pause.isDone();
  }

  /** Returns a future that completes when the pause is over. */
  CompletableFuture<Void> pause() {
    return pause;
  }

  /** Returns whether no rows are left. */
  boolean isOver() {
    return parts.isEmpty();
  }

  /**
   * Returns the next rows, owned by the caller, read back if they were spilled.
   *
   * @throws EngineException OUT_OF_MEMORY if there is no memory to read them back: they stay here
   */
  RecordBatch next() {
    RecordBatch rows = parts.element().take();
    parts.remove();
    return rows;
  }

  /**
   * Starts a pause, because there was no memory for a call or to read rows back; returns whether to
   * try again.
   */
  boolean postpone() {
    retries++;
    attempts++;
    pauseAfter(Math.min(attempts, ATTEMPTS));
    return attempts <= 2 * ATTEMPTS;
  }

  /**
   * Notes that the operator took the last rows. If it took a half, the remaining rows are halved at
   * once.
   */
  void succeeded() {
    attempts = hasSplit ? ATTEMPTS : 0;
  }

  /**
   * Takes ownership of rows that found no memory, to offer them first.
   *
   * @return whether to try again: attempts are left, or the rows were halved
   */
  boolean add(RecordBatch rows) {
    attempts++;
    retries++;
    leastRows = Math.min(leastRows, rows.rowCount());
    boolean mayWait = attempts <= ATTEMPTS;
    if (mayWait || !split(rows)) {
      parts.addFirst(queue.add(rows, SpillPlacement.at(1, true)));
    }
    pauseAfter(mayWait ? attempts : 1);
    return mayWait || (rows.rowCount() > 1 && attempts <= 2 * ATTEMPTS);
  }

  private void pauseAfter(int failures) {
    long millis = firstPauseMillis << (2 * (failures - 1));
    pause = new CompletableFuture<Void>().completeOnTimeout(null, millis, TimeUnit.MILLISECONDS);
  }

  /** Halves a batch; returns false if it has only one row or there is no memory for the halves. */
  private boolean split(RecordBatch rows) {
    int half = rows.rowCount() / 2;
    if (half == 0 || !queue.isOnHost(rows)) {
      return false;
    }
    Deque<RecordBatch> halves = new ArrayDeque<>();
    try {
      int rest = rows.rowCount() - half;
      halves.add(new RowRange(half, rest).copyOf(rows, allocator, rows.sequence()));
      halves.add(new RowRange(0, half).copyOf(rows, allocator, rows.sequence()));
    } catch (RuntimeException | Error e) {
      Closer closer = new Closer();
      halves.forEach(closer::close);
      boolean isShort = EngineException.isOutOfMemory(e);
      if (!isShort) {
        closer.close(rows);
      }
      closer.suppressIn(e);
      if (!isShort) {
        throw e;
      }
      return false;
    }
    rows.close();
    halves.forEach(part -> parts.addFirst(queue.add(part, SpillPlacement.at(1, true))));
    attempts = ATTEMPTS;
    hasSplit = true;
    return true;
  }

  /** Resets the attempts, for another operator or after a success. */
  void restart() {
    attempts = 0;
    pause = OVER;
  }

  /**
   * Returns the error of an operator that found no memory in all attempts.
   *
   * @param last error of the last attempt
   * @param tried what else was tried, for the message
   */
  EngineException failure(EngineException last, String tried) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    String text =
        "memory was refused "
            + retries
            + " times in "
            + millis
            + " ms"
            + (leastRows == Integer.MAX_VALUE
                ? ""
                : ", at the end for " + leastRows + " rows at once")
            + tried
            + ": "
            + last.getMessage();
    return new EngineException(ErrorCode.OUT_OF_MEMORY, text, last);
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    parts.forEach(closer::close);
    parts.clear();
    closer.rethrow();
  }
}
