package io.ariadne.io.s3;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** One GET request for the bytes of a part that are missing. */
final class GetAttempt implements RequestGate.Request {
  private static final Runnable NOTHING = () -> {};

  /** As many bytes as Java's sockets pass on at once. */
  private static final int CHUNK_BYTES = 128 * 1024;

  /** A failure after fewer bytes counts as one without any: each answer may bring a byte. */
  private static final long PROGRESS_BYTES = 256 * 1024;

  private static final ThreadLocal<byte[]> CHUNK =
      ThreadLocal.withInitial(() -> new byte[CHUNK_BYTES]);

  private final S3Object object;
  private final PartRead read;
  private final int round;
  private final boolean isHedge;
  private final long begin;
  private final Duration firstByte;

  private long sentNanos;
  private long arrived;
  private boolean isWinner;
  private volatile long byteNanos;
  private volatile boolean isStalled;
  private volatile boolean isOver;
  private volatile Future<?> watch;

  /**
   * Creates an attempt.
   *
   * @param object the object
   * @param read the part, and who writes to its targets
   * @param round which round of the part it belongs to
   * @param isHedge whether another attempt for the same bytes runs
   * @param begin bytes of the part that are there already
   * @param firstByte longest wait for the headers
   */
  GetAttempt(
      S3Object object, PartRead read, int round, boolean isHedge, long begin, Duration firstByte) {
    this.object = object;
    this.read = read;
    this.round = round;
    this.isHedge = isHedge;
    this.begin = begin;
    this.firstByte = firstByte;
  }

  int round() {
    return round;
  }

  boolean isHedge() {
    return isHedge;
  }

  @Override
  public boolean isWanted() {
    return read.isWanted(this);
  }

  @Override
  public void cannotStart(Throwable cause) {
    read.left(this, cause, false);
  }

  @Override
  public Runnable send() {
    if (!isWanted()) {
      return NOTHING;
    }
    object.counters().requests().increment();
    sentNanos = System.nanoTime();
    Throwable failure = null;
    try {
      read.sent(this);
      transfer();
    } catch (IOException | RuntimeException | Error e) {
      failure = isStalled ? stalled(e) : e;
      S3Failures.report(object.store().gate(), object.counters(), sentNanos, e);
    } finally {
      object.counters().nanos().add(System.nanoTime() - sentNanos);
      object.counters().bytes().add(arrived);
    }
    if (failure == null && !isWinner) {
      return NOTHING;
    }
    Throwable result = failure;
    return () -> read.left(this, result, arrived >= PROGRESS_BYTES);
  }

  private void transfer() throws IOException {
    PartPlan.Part part = read.part();
    long first = part.position() + begin;
    long last = part.position() + part.length() - 1;
    ResponseInputStream<GetObjectResponse> body = object.get(first, last, firstByte);
    boolean isComplete = false;
    try {
      byteNanos = System.nanoTime();
      object.store().times().add(byteNanos - sentNanos);
      object.store().gate().answered();
      isWinner = read.wins(this, body);
      if (isWinner) {
        object.check(body.response(), first, last);
        watch(body);
        copy(body, part.length() - begin);
        isComplete = true;
      }
    } finally {
      endWatch();
      if (isComplete) {
        release(body);
      } else {
        body.abort();
      }
    }
  }

  /** Gives the connection back. All bytes have arrived: a failure of that is none of the read. */
  private static void release(ResponseInputStream<GetObjectResponse> body) {
    try {
      body.close();
    } catch (IOException e) {
      body.abort();
    }
  }

  private void copy(ResponseInputStream<GetObjectResponse> body, long length) throws IOException {
    byte[] chunk = CHUNK.get();
    while (arrived < length) {
      int count = body.read(chunk, 0, (int) Math.min(chunk.length, length - arrived));
      if (count < 0) {
        throw new EOFException("the answer ended after " + arrived + " of " + length + " bytes");
      }
      if (read.isEnded()) {
        throw new IOException("the read was stopped");
      }
      read.put(chunk, count);
      arrived += count;
      byteNanos = System.nanoTime();
    }
  }

  private void watch(ResponseInputStream<GetObjectResponse> body) {
    watch = RequestThreads.later(object.store().timing().stall().toNanos(), () -> look(body));
  }

  /** Aborts the body if no byte has arrived for too long; otherwise looks again later. */
  private void look(ResponseInputStream<GetObjectResponse> body) {
    if (isOver) {
      return;
    }
    long rest = object.store().timing().stall().toNanos() - (System.nanoTime() - byteNanos);
    if (rest > 0) {
      watch = RequestThreads.later(rest, () -> look(body));
    } else {
      isStalled = true;
      body.abort();
    }
  }

  private void endWatch() {
    isOver = true;
    Future<?> running = watch;
    if (running != null) {
      running.cancel(false);
    }
  }

  private IOException stalled(Throwable cause) {
    long seconds = object.store().timing().stall().toSeconds();
    return new IOException("no byte arrived for " + seconds + " s", cause);
  }
}
