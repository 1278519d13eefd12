package io.ariadne.io.local;

import io.ariadne.io.PendingRead;
import io.ariadne.io.ReadCounters;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * Ranges of one file that a ring reads.
 *
 * <pre>
 *  QUEUED --- taken by the ring ---> ACTIVE --- all pieces done ----------------> ENDED, completes
 *    |                                 | failed or cancelled: no further calls      ^
 *    |                                 +--> ENDING --- last call has returned ------+
 *    +--- cancelled ---------------------------------------------------------------+
 * </pre>
 *
 * <p>The ring's thread alone changes the state; {@link #cancel} is for any thread. The future is
 * completed by the ring's thread, so what depends on it must be short and must not block.
 */
final class RingRead implements PendingRead {
  private final RingThread ring;
  private final OpenFile file;
  private final List<Piece> pieces;
  private final ReadCounters counters;
  private final CompletableFuture<Void> completion = new CompletableFuture<>();
  private volatile boolean isCancelled;

  /** Next piece without a call. */
  private int next;

  /** Pieces with calls, running or to be repeated. */
  private int calls;

  private boolean isTaken;
  private boolean isEnded;
  private Throwable failure;

  /**
   * Creates a read.
   *
   * @param ring the ring that {@link #cancel} tells
   * @param file the file, acquired for this read, which releases it
   * @param pieces its pieces
   * @param counters counts the calls
   */
  RingRead(RingThread ring, OpenFile file, List<Piece> pieces, ReadCounters counters) {
    this.ring = ring;
    this.file = file;
    this.pieces = pieces;
    this.counters = counters;
  }

  @Override
  public CompletableFuture<Void> completion() {
    return completion;
  }

  @Override
  public void cancel() {
    isCancelled = true;
    if (!completion.isDone()) {
      ring.changed(this);
    }
  }

  /** Returns the file. */
  OpenFile file() {
    return file;
  }

  /** Returns what counts its calls. */
  ReadCounters counters() {
    return counters;
  }

  /** Returns true at the first call only: the ring takes the read once. */
  boolean take() {
    boolean isFirst = !isTaken;
    isTaken = true;
    return isFirst;
  }

  /** Returns why it ends early, or null. */
  Throwable failure() {
    if (failure == null && isCancelled && !isEnded) {
      failure = new CancellationException("a read of " + file.name() + " was cancelled");
    }
    return failure;
  }

  /** Ends it early; the first reason counts. */
  void fail(Throwable reason) {
    if (failure() == null) {
      failure = reason;
    }
  }

  /** Returns the next piece to begin, null when there is none. */
  Piece peek() {
    return failure() == null && next < pieces.size() ? pieces.get(next) : null;
  }

  /** Begins the piece of {@link #peek}. */
  void begin() {
    next++;
    calls++;
  }

  /** Notes that a piece needs no more calls. */
  void pieceEnded() {
    calls--;
  }

  /** Completes the read when no call is left, and returns whether it has ended. */
  boolean endIfDone() {
    boolean isOver = calls == 0 && (next == pieces.size() || failure() != null);
    if (isOver && !isEnded) {
      // All bytes may have arrived before the read was cancelled.
      isEnded = true;
      file.release();
      if (failure == null) {
        completion.complete(null);
      } else {
        completion.completeExceptionally(failure);
      }
    }
    return isEnded;
  }
}
