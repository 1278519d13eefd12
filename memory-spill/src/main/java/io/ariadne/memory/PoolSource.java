package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import java.time.Duration;
import java.util.Objects;

/**
 * The source of a root pool and the pools below it; repeats requests that the source refuses.
 * Thread-safe.
 */
final class PoolSource {
  private final MemorySource source;
  private volatile Duration retryTime = Duration.ZERO;

  PoolSource(MemorySource source) {
    this.source = Objects.requireNonNull(source, "source is null");
  }

  /** Sets how long refused requests are repeated after pauses; 0 for no pauses. */
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
   * Allocates memory.
   *
   * @param pool the pool that is charged
   * @param bytes a multiple of 64, may be 0
   * @param movesBatches whether batches may be moved when the source refuses; false for a thread
   *     that may hold what a move waits for
   * @return the address, 0 for no bytes
   * @throws EngineException OUT_OF_MEMORY with the number of attempts and their time
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

  /** Requests memory once; returns 0 when the source has no memory left. */
  long request(long bytes) {
    return source.allocate(bytes);
  }

  /** Frees memory. */
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
