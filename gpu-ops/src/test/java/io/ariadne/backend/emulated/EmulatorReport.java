package io.ariadne.backend.emulated;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.kernel.abi.EmulatorReportLayout;
import java.nio.charset.StandardCharsets;

/**
 * What the emulator measured of one launch.
 *
 * @param error what it found wrong; empty when clean
 * @param threads GPU threads launched
 * @param accesses memory accesses of all threads
 * @param maxThreadAccesses the largest share of one thread
 * @param sectors 32-byte sectors moved between the GPU and its memory
 * @param bytesNeeded distinct bytes that the threads asked for
 * @param worstSite offset in the library of the access that moves most bytes for nothing
 */
public record EmulatorReport(
    String error,
    long threads,
    long accesses,
    long maxThreadAccesses,
    long sectors,
    long bytesNeeded,
    long worstSite) {

  private static final int SECTOR_BYTES = 32;

  /** Reads the report at an address. */
  static EmulatorReport read(long address) {
    byte[] text = new byte[EmulatorReportLayout.ERROR_LENGTH];
    Memory.copy(address + EmulatorReportLayout.ERROR_OFFSET, text, 0, text.length);
    String error = new String(text, StandardCharsets.US_ASCII);
    return new EmulatorReport(
        error.substring(0, Math.max(0, error.indexOf('\0'))),
        Memory.getLong(address + EmulatorReportLayout.THREADS_OFFSET),
        Memory.getLong(address + EmulatorReportLayout.ACCESSES_OFFSET),
        Memory.getLong(address + EmulatorReportLayout.MAX_THREAD_ACCESSES_OFFSET),
        Memory.getLong(address + EmulatorReportLayout.SECTORS_OFFSET),
        Memory.getLong(address + EmulatorReportLayout.BYTES_NEEDED_OFFSET),
        Memory.getLong(address + EmulatorReportLayout.WORST_SITE_OFFSET));
  }

  /** Returns the bytes of all sectors moved. */
  public long bytesMoved() {
    return sectors * SECTOR_BYTES;
  }

  /** Returns bytes moved over bytes needed; 1 is ideal. */
  public double sectorRatio() {
    return bytesNeeded == 0 ? 1 : (double) bytesMoved() / bytesNeeded;
  }

  /** Returns the accesses of the busiest thread over the mean of all threads. */
  public double imbalance() {
    return accesses == 0 ? 1 : (double) maxThreadAccesses * threads / accesses;
  }
}
