package io.ariadne.io.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.Abortable;

/**
 * Reads a part of an object by one request, or by several: after a failure the next request begins
 * at the first byte that is missing. Thread-safe.
 *
 * <p>Requests for the same bytes make a round. A round begins with one attempt; when its first byte
 * is late, a second one may follow. The first attempt that gets its headers wins the round, and
 * only the winner writes to the targets; the other one is aborted when its headers arrive. S3A's
 * client offers no way to abort a request before: until then such an attempt keeps its connection,
 * but writes nothing.
 */
final class PartRead {
  private static final Logger LOG = LoggerFactory.getLogger(PartRead.class);

  private final S3Object object;
  private final PartPlan.Part part;
  private final ObjectRead read;
  private final S3Store store;

  /** Bytes that have been written. Changed by the winner of a round, and read between rounds. */
  private long done;

  private volatile boolean ended;

  @GuardedBy("this")
  private GetAttempt winner;

  @GuardedBy("this")
  private Abortable body;

  @GuardedBy("this")
  private int round;

  /** Attempts of this round that have not failed. */
  @GuardedBy("this")
  private int running;

  /** What happens next unless something happens before: a second attempt or a new round. */
  @GuardedBy("this")
  private Future<?> timer;

  @GuardedBy("this")
  private int rounds;

  @GuardedBy("this")
  private final Repetitions repetitions;

  private final long startNanos = System.nanoTime();

  PartRead(S3Object object, PartPlan.Part part, ObjectRead read) {
    this.object = object;
    this.part = part;
    this.read = read;
    this.store = object.store();
    this.repetitions = new Repetitions(store.timing());
  }

  /** Starts the first round. */
  void start() {
    GetAttempt attempt;
    synchronized (this) {
      if (ended) {
        return;
      }
      attempt = newRound();
    }
    store.gate().submit(attempt);
  }

  @GuardedBy("this")
  private GetAttempt newRound() {
    round++;
    rounds++;
    running = 1;
    timer = null;
    return attempt(false);
  }

  @GuardedBy("this")
  private GetAttempt attempt(boolean isHedge) {
    return new GetAttempt(object, this, round, isHedge, done, repetitions.firstByte());
  }

  /** Stops as soon as nothing writes any more; {@link ObjectRead#partEnded} tells when. */
  void stop() {
    Abortable writing;
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
      cancelTimer();
      writing = body;
    }
    if (writing != null) {
      writing.abort();
    } else {
      read.partEnded();
    }
  }

  @GuardedBy("this")
  private void cancelTimer() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  PartPlan.Part part() {
    return part;
  }

  /** Whether the part needs no more bytes: it has failed or was stopped. */
  boolean isEnded() {
    return ended;
  }

  synchronized boolean isWanted(GetAttempt attempt) {
    return !ended && attempt.round() == round && winner == null;
  }

  /** An attempt is sent: a second one follows if its first byte is late. */
  synchronized void sent(GetAttempt attempt) {
    long late = store.times().lateNanos();
    if (isWanted(attempt) && !attempt.isHedge() && timer == null && late < Long.MAX_VALUE) {
      int thisRound = round;
      timer = RequestThreads.later(late, () -> hedge(thisRound));
    }
  }

  private void hedge(int lateRound) {
    GetAttempt second;
    synchronized (this) {
      if (ended || round != lateRound || winner != null || running != 1) {
        return;
      }
      timer = null;
      if (!store.times().takeHedge()) {
        return;
      }
      running++;
      second = attempt(true);
    }
    if (store.gate().submitNow(second)) {
      object.counters().hedges().increment();
      return;
    }
    store.times().returnHedge();
    left(second, new IOException("no connection is free for a second attempt"), false);
  }

  /**
   * The headers of an answer have arrived.
   *
   * @param attempt whose answer it is
   * @param answer the body
   * @return whether the attempt takes the body; otherwise the bytes come from elsewhere
   */
  synchronized boolean wins(GetAttempt attempt, Abortable answer) {
    if (!isWanted(attempt)) {
      return false;
    }
    winner = attempt;
    body = answer;
    cancelTimer();
    return true;
  }

  /** The winner has bytes from the offset that it began at. */
  void put(byte[] bytes, int count) {
    part.put(done, bytes, count);
    done += count;
  }

  /**
   * An attempt has ended and writes nothing any more.
   *
   * @param failure why it failed; null when it has won and written all bytes
   * @param hasProgress whether it has written a useful number of bytes
   */
  void left(GetAttempt attempt, Throwable failure, boolean hasProgress) {
    Throwable end = null;
    synchronized (this) {
      if (attempt == winner) {
        winner = null;
        body = null;
        round++; // Another attempt of this round began at a byte that has been written since.
      } else if (!isWanted(attempt) || isCovered(failure)) {
        return;
      }
      if (!ended && failure != null) {
        end = failed(failure, hasProgress);
        if (end == null) {
          return;
        }
      }
      ended = true;
      cancelTimer();
    }
    if (end != null) {
      read.fail(end);
    }
    read.partEnded();
  }

  /** Whether another attempt of the round may still bring the bytes. */
  @GuardedBy("this")
  private boolean isCovered(Throwable failure) {
    running--;
    return running > 0 && S3Failures.kind(failure).isRetried();
  }

  /** Plans another round; returns the exception of the read when there is none. */
  @GuardedBy("this")
  private Throwable failed(Throwable failure, boolean hasProgress) {
    if (!S3Failures.kind(failure).isRetried()) {
      return translated(failure, false);
    }
    if (hasProgress) {
      repetitions.progressed();
    }
    OptionalLong wait = repetitions.afterNanos(failure);
    if (wait.isEmpty()) {
      return translated(failure, true);
    }
    LOG.debug("repeats a request for {}: {}", object, S3Failures.text(failure));
    cancelTimer();
    int failedRound = round;
    try {
      timer = RequestThreads.later(wait.getAsLong(), () -> again(failedRound));
    } catch (RuntimeException | OutOfMemoryError e) {
      return e;
    }
    return null;
  }

  private void again(int failedRound) {
    GetAttempt attempt;
    synchronized (this) {
      if (ended || round != failedRound) {
        return;
      }
      attempt = newRound();
    }
    object.counters().retries().increment();
    try {
      store.gate().submit(attempt);
    } catch (RuntimeException | OutOfMemoryError e) {
      read.fail(e); // The clock calls: no caller would learn of it.
    }
  }

  @GuardedBy("this")
  private Throwable translated(Throwable failure, boolean isExhausted) {
    String range =
        "bytes " + (part.position() + done) + " to " + (part.position() + part.length() - 1);
    long nanos = System.nanoTime() - startNanos;
    return S3Failures.translate(object, range, failure, isExhausted ? rounds : 0, nanos);
  }
}
