package io.ariadne.spill.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * Measures how fast bytes were lately written and compressed, and decides whether compression pays:
 * it does for a slow disk, and costs time when the page cache or a fast disk accepts the bytes.
 * Thread-safe.
 */
final class SpillRates {
  /** Weight of the newest sample. */
  private static final double NEWEST = 0.2;

  /** Compression has to take less than this part of the time of writing raw bytes. */
  private static final double WORTH = 0.8;

  /** One write in this many is compressed although it does not pay, to measure the rate. */
  private static final int PROBE_INTERVAL = 64;

  /** Bytes per nanosecond of LZ4 on one core; an assumption until measured. */
  @GuardedBy("this")
  private double compressRate = 0.5;

  /** Compressed bytes per raw byte; an assumption until measured. */
  @GuardedBy("this")
  private double compressRatio = 0.6;

  /** Bytes per nanosecond of one disk, 0 until measured. */
  @GuardedBy("this")
  private double writeRate;

  private final int disks;

  @GuardedBy("this")
  private int decisions;

  /**
   * Creates rates without measurements.
   *
   * @param disks disks that are written at the same time; each gets a share of the bandwidth
   */
  SpillRates(int disks) {
    this.disks = disks;
  }

  /** Notes that one disk has accepted bytes. */
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
   * Decides about the next write. Compressing and writing overlap, so the slower of them counts.
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
