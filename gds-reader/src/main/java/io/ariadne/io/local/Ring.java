package io.ariadne.io.local;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ariadne.columnar.buffer.Memory;
import java.util.concurrent.TimeUnit;

/**
 * The memory and the calls of one {@code io_uring}. Used by the thread that opens it; {@link
 * #notifyThread} is for any thread.
 */
class Ring {
  /** Requests that can be appended between two calls of {@link #enter}. */
  static final int ENTRIES = 256;

  /** Id of the result that {@link #notifyThread} leads to. */
  static final long NOTIFIED = -1;

  private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int RESULTS = 64;

  private final long ring = Memory.allocate(NativeRing.sizeInBytes());
  private final long results = Memory.allocate((long) RESULTS * NativeRing.RESULT_BYTES);
  private final long eventValue = Memory.allocate(Long.BYTES);
  private int event;

  @GuardedBy("this")
  private boolean isClosed;

  /** Creates a ring that {@link #open(Ring)} opens. */
  Ring() {}

  /** Takes a result. */
  @FunctionalInterface
  interface ResultConsumer {
    /**
     * Takes a result.
     *
     * @param id id of the request
     * @param code bytes, or a negated error number
     */
    void accept(long id, int code);
  }

  /** Opens a ring. */
  @FunctionalInterface
  interface Opener {
    /**
     * Opens a ring for the calling thread.
     *
     * @throws RefusedException with the reason when there is none
     */
    Ring open() throws RefusedException;
  }

  /** Why there is no ring. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String reason) {
      super(reason);
    }
  }

  /**
   * Opens a ring and lets the kernel answer a request that does nothing.
   *
   * @throws RefusedException with the reason when the kernel, or the container, has no ring for us
   */
  static Ring open() throws RefusedException {
    return open(new Ring());
  }

  /**
   * Opens a ring that is not open yet; otherwise as {@link #open()}.
   *
   * @param opened the ring, freed when it is refused
   */
  static Ring open(Ring opened) throws RefusedException {
    int code = NativeRing.open(opened.ring, ENTRIES);
    if (code < 0) {
      opened.free();
      Memory.free(opened.eventValue);
      throw new RefusedException(reason(code));
    }
    opened.event = NativeRing.openEvent();
    String refusal =
        opened.event < 0 ? SystemErrors.describe(opened.event) : opened.refusalOfProbe();
    if (refusal != null) {
      opened.close(false);
      throw new RefusedException(refusal);
    }
    return opened;
  }

  private static String reason(int code) {
    return switch (-code) {
      case SystemErrors.EPERM, SystemErrors.EACCES ->
          "forbidden by the container's seccomp profile or kernel.io_uring_disabled";
      case SystemErrors.ENOSYS -> "the kernel or the container does not have it";
      case SystemErrors.EOPNOTSUPP -> "it needs Linux 5.11";
      default -> SystemErrors.describe(code);
    };
  }

  private String refusalOfProbe() {
    long[] answer = {0, -1};
    NativeRing.pushNothing(ring, 1);
    int passed = NativeRing.enter(ring, 1, PROBE_NANOS);
    reap(
        (id, code) -> {
          answer[0] = id;
          answer[1] = code;
        });
    if (passed < 0) {
      return SystemErrors.describe(passed);
    }
    return answer[0] == 1 && answer[1] == 0 ? null : "it does not answer";
  }

  /** Appends a read; returns false when the queue is full. */
  boolean pushRead(long id, Piece piece) {
    int code =
        NativeRing.pushRead(
            ring,
            id,
            piece.callDescriptor(),
            piece.callAddress(),
            piece.callLength(),
            piece.callPosition(),
            piece.isRepeated());
    return code == 0;
  }

  /** Appends a request to end a read; returns false when the queue is full. */
  boolean pushCancel(long id, long cancelled) {
    return NativeRing.pushCancel(ring, id, cancelled) == 0;
  }

  /**
   * Appends the request whose result is {@link #NOTIFIED}; returns false when the queue is full.
   */
  boolean pushNotification() {
    return NativeRing.pushRead(ring, NOTIFIED, event, eventValue, Long.BYTES, 0, false) == 0;
  }

  /** Passes requests and waits; see {@link NativeRing#enter}. */
  int enter(int waitFor, long nanos) {
    return NativeRing.enter(ring, waitFor, nanos);
  }

  /** Takes back the requests that the kernel has not seen; returns how many. */
  int retract() {
    return NativeRing.retract(ring);
  }

  /** Passes all results to a consumer. */
  void reap(ResultConsumer consumer) {
    int count;
    do {
      count = NativeRing.reap(ring, results, RESULTS);
      for (int i = 0; i < count; i++) {
        long at = results + (long) i * NativeRing.RESULT_BYTES;
        consumer.accept(Memory.getLong(at), (int) Memory.getLong(at + Long.BYTES));
      }
    } while (count == RESULTS);
  }

  /** Makes the thread return from {@link #enter}; without effect on a closed ring. */
  synchronized void notifyThread() {
    if (!isClosed) {
      NativeRing.notify(event);
    }
  }

  /**
   * Closes the ring; no read may be in the kernel.
   *
   * @param awaitsNotification whether the kernel may still write the notification, which is then
   *     never freed
   */
  synchronized void close(boolean awaitsNotification) {
    isClosed = true;
    NativeRing.close(ring);
    if (event >= 0) {
      NativeFile.close(event);
    }
    free();
    if (!awaitsNotification) {
      Memory.free(eventValue);
    }
  }

  private void free() {
    Memory.free(ring);
    Memory.free(results);
  }
}
