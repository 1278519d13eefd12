package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import java.time.Duration;
import java.util.Objects;

/**
 * The source of a root pool as that and the pools below it use it: requests that it refuses are
 * made again. Thread-safe.
 */
final class PoolSource {
  private final MemorySource source;
  private volatile Duration retryTime = Duration.ZERO;

  PoolSource(MemorySource source) {
    this.source = Objects.requireNonNull(source, "source is null");
  }

  /** Says how long requests are made again, after pauses; 0 for none. */
  void retryFor(Duration most) {
    if (most.isNegative()) {
      throw new IllegalArgumentException("time to retry is negative: " + most);
    }
    retryTime = most;
  }

  MemoryTier tier() {
    return source.tier();
  }

  /**
   * Takes memory.
   *
   * @param pool whose charge the bytes are
   * @param bytes a multiple of 64, may be 0
   * @param movesBatches whether batches may be moved when there is none: not by who may hold what
   *     moves wait for
   * @return the address, 0 for no bytes
   * @throws EngineException OUT_OF_MEMORY with how often and how long it was tried
   */
  long allocate(MemoryPool pool, long bytes, boolean movesBatches) {
    if (bytes == 0) {
      return 0;
    }
    long address = request(bytes);
    return address == 0
        ? new SourceRetries(this, pool, bytes, movesBatches).allocate(retryTime)
        : address;
  }

  /** Makes a request once; returns 0 when the source has no memory left. */
  long request(long bytes) {
    return source.allocate(bytes);
  }

  /** Gives memory back. */
  void free(long address, long bytes) {
    if (bytes > 0) {
      source.free(address, bytes);
    }
  }

  /** Zeroes a new buffer to its capacity; closes it when that fails. */
  MemoryBuffer zeroed(MemoryBuffer buffer) {
    boolean done = false;
    try {
      if (buffer.capacityInBytes() > 0) {
        source.fillZero(buffer.address(), buffer.capacityInBytes());
      }
      done = true;
    } finally {
      if (!done) {
        buffer.close();
      }
    }
    return buffer;
  }
}
