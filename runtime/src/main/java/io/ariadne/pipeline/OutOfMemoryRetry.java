package io.ariadne.pipeline;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.operator.Repeatable;
import io.ariadne.spill.SpillPlacement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Repeats what an operator found no memory for, after pauses that grow: a batch, until the operator
 * has processed all its rows, or a call without a batch. The batch may be spilled during the
 * pauses; after some attempts the operator gets its rows in halves. Used by one thread at a time.
 */
final class OutOfMemoryRetry implements AutoCloseable {
  /** Attempts with the same rows before there are fewer of them. */
  private static final int ATTEMPTS = 5;

  private static final long FIRST_PAUSE_MILLIS = 4;

  private static final CompletableFuture<Void> OVER = CompletableFuture.completedFuture(null);

  private final BatchQueue queue;
  private final BufferAllocator allocator;
  private final Deque<QueuedBatch> parts = new ArrayDeque<>();
  private final long startNanos = System.nanoTime();
  private int attempts;
  private int retries;
  private boolean hasSplit;
  private int leastRows = Integer.MAX_VALUE;
  private CompletableFuture<Void> pause = OVER;

  /**
   * Creates a refusal without rows.
   *
   * @param queue where they wait
   * @param allocator where halves come from
   */
  OutOfMemoryRetry(BatchQueue queue, BufferAllocator allocator) {
    this.queue = queue;
    this.allocator = allocator;
  }

  /** Creates a retry of calls without a batch. */
  static OutOfMemoryRetry ofCall() {
    return new OutOfMemoryRetry(null, null);
  }

  /**
   * Notes that a call without a batch found no memory.
   *
   * @param called what was called
   * @param reason what it threw
   * @return what to wait for before the call is repeated
   * @throws EngineException the reason, when the call may not be repeated; another one after too
   *     many attempts
   */
  CompletableFuture<Void> postponeCall(Repeatable called, EngineException reason) {
    if (reason.code() != ErrorCode.OUT_OF_MEMORY || !called.mayRepeat()) {
      throw reason;
    }
    if (!postpone()) {
      throw failure(reason, "");
    }
    return pause;
  }

  /** Returns whether the next rows may be tried. */
  boolean isDue() {
    return pause.isDone();
  }

  /** Returns what is complete when the next rows may be tried. */
  CompletableFuture<Void> pause() {
    return pause;
  }

  /** Returns whether no rows are left. */
  boolean isOver() {
    return parts.isEmpty();
  }

  /**
   * Returns the next rows, owned by the caller, read back if need be.
   *
   * @throws EngineException OUT_OF_MEMORY when there is none to read them back: they stay
   */
  RecordBatch next() {
    RecordBatch rows = parts.element().take();
    parts.remove();
    return rows;
  }

  /** Notes that there was no memory to read rows back or for a call; returns whether to repeat. */
  boolean postpone() {
    retries++;
    attempts++;
    pauseAfter(Math.min(attempts, ATTEMPTS));
    return attempts <= 2 * ATTEMPTS;
  }

  /**
   * Notes that the operator took the last rows; once halves have helped, the rest is halved too.
   */
  void succeeded() {
    attempts = hasSplit ? ATTEMPTS : 0;
  }

  /**
   * Takes ownership of rows that found no memory and offers them first.
   *
   * @return whether to repeat: the attempts are not used up, or the rows have become fewer
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
    long millis = FIRST_PAUSE_MILLIS << (2 * (failures - 1));
    pause = new CompletableFuture<Void>().completeOnTimeout(null, millis, TimeUnit.MILLISECONDS);
  }

  /** Makes two batches of one; returns whether there were rows and memory for that. */
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
      boolean isShort =
          e instanceof EngineException engine && engine.code() == ErrorCode.OUT_OF_MEMORY;
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

  /** Starts to count attempts again, because the operator is another one now. */
  void restart() {
    attempts = 0;
    pause = OVER;
  }

  /**
   * Returns the error of an operator that found no memory in all attempts.
   *
   * @param last the error of the last attempt
   * @param tried what else was tried, for messages
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
