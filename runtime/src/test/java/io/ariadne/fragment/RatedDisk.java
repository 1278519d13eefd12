package io.ariadne.fragment;

import io.ariadne.spill.fuzz.FaultPlan;
import io.ariadne.spill.fuzz.Faults;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A disk that transfers a number of bytes per second, reads and writes at the same time. Calls of
 * several threads take their turns.
 */
final class RatedDisk implements FaultPlan {
  private final double nanosPerByte;
  private final AtomicLong readsUntil = new AtomicLong(System.nanoTime());
  private final AtomicLong writesUntil = new AtomicLong(System.nanoTime());
  private final AtomicLong readBytes = new AtomicLong();
  private final AtomicLong writtenBytes = new AtomicLong();

  /**
   * Creates a disk.
   *
   * @param megabytesPerSecond 10^6 bytes per second in each direction; 0 for no limit
   */
  RatedDisk(long megabytesPerSecond) {
    this.nanosPerByte = megabytesPerSecond == 0 ? 0 : 1000.0 / megabytesPerSecond;
  }

  @Override
  public boolean strikes(Faults.Kind kind) {
    return false;
  }

  @Override
  public void transfers(Faults.Kind kind, long bytes) {
    boolean isRead = kind == Faults.Kind.READ;
    (isRead ? readBytes : writtenBytes).addAndGet(bytes);
    long nanos = (long) (bytes * nanosPerByte);
    long now = System.nanoTime();
    long end =
        (isRead ? readsUntil : writesUntil)
            .updateAndGet(last -> Math.max(last - now, 0) + now + nanos);
    for (long left = end - now; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Returns the bytes read so far. */
  long readBytes() {
    return readBytes.get();
  }

  /** Returns the bytes written so far. */
  long writtenBytes() {
    return writtenBytes.get();
  }
}
