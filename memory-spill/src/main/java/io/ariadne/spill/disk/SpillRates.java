package io.ariadne.spill.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * How fast bytes have lately been written and compressed, and whether compressing them pays: it
 * does when the bytes reach a slow disk, and costs time when memory or a fast one takes them.
 * Thread-safe.
 */
final class SpillRates {
  /** Weight of the newest sample. */
  private static final double NEWEST = 0.2;

  /** Less gain than this is not worth the processor's time. */
  private static final double WORTH = 0.8;

  /** One write in this many is compressed although it does not pay, to keep the rate known. */
  private static final int PROBE_INTERVAL = 64;

  /** Assumed until measured: bytes per nanosecond of LZ4 on one core, and what is left of them. */
  @GuardedBy("this")
  private double compressRate = 0.5;

  @GuardedBy("this")
  private double compressRatio = 0.6;

  /** Bytes per nanosecond of one disk, 0 until measured. */
  @GuardedBy("this")
  private double writeRate;

  private final int disks;

  @GuardedBy("this")
  private int decisions;

  /**
   * Starts without knowledge.
   *
   * @param disks how many are written at the same time; what they share makes each slower
   */
  SpillRates(int disks) {
    this.disks = disks;
  }

  /** Notes that bytes were handed to the system, by one disk. */
  synchronized void written(long bytes, long nanos) {
    double rate = (double) bytes / Math.max(1, nanos);
    writeRate = writeRate == 0 ? rate : writeRate + NEWEST * (rate - writeRate);
  }

  /** Notes that bytes were compressed. */
  synchronized void compressed(long rawBytes, long storedBytes, long nanos) {
    compressRate += NEWEST * ((double) rawBytes / Math.max(1, nanos) - compressRate);
    compressRatio += NEWEST * ((double) storedBytes / rawBytes - compressRatio);
  }

  /**
   * Decides for the next write. Compressing and writing overlap, so the slower of them counts.
   *
   * @return whether to compress
   */
  synchronized boolean compressionPays() {
    double raw = writeRate * disks;
    if (raw == 0) {
      return false;
    }
    if (++decisions % PROBE_INTERVAL == 0) {
      return true;
    }
    double nanosPerByte = Math.max(1 / compressRate, compressRatio / raw);
    return nanosPerByte < WORTH / raw;
  }
}
