package io.ariadne.memory;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.error.EngineException;
import io.ariadne.event.ThreadRecord;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

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

  /** Describes the source as {@link MemorySource#fragments}. */
  String fragments(long bytes) {
    return source.fragments(bytes);
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
    long address = source.allocate(bytes);
    if (address != 0) {
      return address;
    }
    SourceRetries<Long> retries =
        new SourceRetries<>(this, pool, bytes, movesBatches, () -> addressOf(bytes));
    Repetition<?> repetition = ThreadUse.current().repetition(this);
    Long later = retries.repeat(repetition == null ? retryTime : Duration.ZERO);
    if (later != null) {
      return later;
    }
    if (repetition != null) {
      repetition.refused();
    }
    throw retries.refusal();
  }

  /** Requests memory once; returns null when the source has no memory left. */
  private Long addressOf(long bytes) {
    long address = source.allocate(bytes);
    return address == 0 ? null : address;
  }

  /**
   * Runs what allocates several buffers without moving batches; repeats it as a whole, as {@link
   * #allocate} repeats a request, when the source refuses one of them. Moves batches out only for a
   * thread that may wait: one that reads ahead may not. Within another such action it runs once:
   * the outer one is repeated.
   *
   * @param pool the pool that is charged
   * @param bytes of all buffers
   * @param action leaves nothing when it fails, and does not return null
   * @throws EngineException OUT_OF_MEMORY as of {@link #allocate}, with the last attempt's as a
   *     suppressed one
   */
  <T> T allocateAll(MemoryPool pool, long bytes, Supplier<T> action) {
    if (ThreadUse.current().repetition(this) != null) {
      return action.get();
    }
    Repetition<T> repetition = new Repetition<>(this, action);
    T result = repetition.get();
    if (result != null) {
      return result;
    }
    boolean movesBatches = ThreadRecord.current().mayWait();
    SourceRetries<T> retries = new SourceRetries<>(this, pool, bytes, movesBatches, repetition);
    result = retries.repeat(retryTime);
    if (result == null) {
      EngineException refusal = retries.refusal();
      refusal.addSuppressed(repetition.refusal());
      throw refusal;
    }
    return result;
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
        source.fill(buffer.address(), buffer.capacityInBytes(), (byte) 0);
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
