package io.ariadne.backend;

import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.event.EventKind;
import io.ariadne.event.ThreadRecord;

/**
 * Records copies between host and device memory as events of the thread that makes them: until they
 * are done, or, for those of pageable memory to the device, until they are queued.
 */
public final class CopyEvents {
  private CopyEvents() {}

  /**
   * Records a copy to the device that ends now.
   *
   * @param startNanos when it began, by {@link System#nanoTime}
   * @param bytes its length
   */
  public static void toDevice(long startNanos, long bytes) {
    ended(startNanos, bytes, MemoryTier.HOST, MemoryTier.DEVICE);
  }

  /** Records a copy from the device that ends now. The arguments are those of {@link #toDevice}. */
  public static void fromDevice(long startNanos, long bytes) {
    ended(startNanos, bytes, MemoryTier.DEVICE, MemoryTier.HOST);
  }

  private static void ended(long startNanos, long bytes, MemoryTier from, MemoryTier to) {
    ThreadRecord.current().ended(EventKind.COPY, startNanos, bytes, from, to);
  }
}
