package io.ariadne.preload;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.Reservation;

/**
 * Allocates memory for bytes that are read ahead: without waiting, and without making operators
 * spill. Thread-safe.
 */
final class PreloadMemory {
  /**
   * Bytes that nothing needs are read while the pool has its limit divided by this free. Spilled
   * batches that are read back ahead of their use leave more free.
   */
  private static final int FREE_SHARES = 4;

  private final MemoryPool pool;

  PreloadMemory(MemoryPool pool) {
    this.pool = pool;
  }

  /** Returns whether the pool has enough free memory for bytes that nothing needs yet. */
  boolean isFree(long bytes) {
    return pool.availableBytes() - bytes >= pool.limitInBytes() / FREE_SHARES;
  }

  /**
   * Allocates a buffer.
   *
   * @param bytes its length
   * @param isNeeded whether a thread needs the bytes now
   * @return a buffer owned by the caller; null when there is not enough free memory
   */
  MemoryBuffer allocate(long bytes, boolean isNeeded) {
    if (!isNeeded && !isFree(bytes)) {
      return null;
    }
    Reservation reservation = pool.tryReserve("read-ahead", bytes);
    if (reservation == null) {
      return null;
    }
    try {
      return reservation.allocate(bytes);
    } catch (EngineException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY) {
        throw e;
      }
      return null;
    } finally {
      reservation.close();
    }
  }
}
