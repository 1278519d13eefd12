package io.ariadne.executor;

import io.ariadne.memory.MemorySource;
import io.ariadne.spill.WaitTimes;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Configuration of the memory of an {@link ExecutorRuntime}, checked and immutable.
 *
 * @param limitInBytes hard limit of the host memory pool
 * @param advice what users can do if that is too little, for messages
 * @param access wraps the sources of memory; the identity except in tests that refuse requests
 * @param waits how long an allocation waits for memory before it is refused
 * @param spilling when batches leave memory and come back
 * @param retryPauseMillis how long an operator call that found no memory pauses before its first
 *     repetition, at least 0; later pauses are longer
 */
public record MemoryConfig(
    long limitInBytes,
    String advice,
    UnaryOperator<MemorySource> access,
    WaitTimes waits,
    SpillPolicy spilling,
    long retryPauseMillis) {
  private static final long RETRY_PAUSE_MILLIS = 4;
  private static final String ADVICE = "give the runtime more memory or fewer compute threads";

  /** Checks the bounds. */
  public MemoryConfig {
    RuntimeConfig.requirePositive("limitInBytes", limitInBytes);
    Objects.requireNonNull(advice, "advice is null");
    Objects.requireNonNull(access, "access is null");
    Objects.requireNonNull(waits, "waits is null");
    Objects.requireNonNull(spilling, "spilling is null");
    if (retryPauseMillis < 0) {
      throw new IllegalArgumentException("retryPauseMillis=" + retryPauseMillis);
    }
  }

  /** Returns a default configuration with a limit of host memory. */
  public static MemoryConfig of(long limitInBytes) {
    return new MemoryConfig(
        limitInBytes,
        ADVICE,
        UnaryOperator.identity(),
        WaitTimes.DEFAULT,
        SpillPolicy.DEFAULT,
        RETRY_PAUSE_MILLIS);
  }

  /**
   * Returns this configuration with another advice in messages that say that memory has run out.
   */
  public MemoryConfig withAdvice(String other) {
    return new MemoryConfig(limitInBytes, other, access, waits, spilling, retryPauseMillis);
  }

  /** Returns this configuration with another wrapper of the sources of memory. */
  public MemoryConfig withAccess(UnaryOperator<MemorySource> other) {
    return new MemoryConfig(limitInBytes, advice, other, waits, spilling, retryPauseMillis);
  }

  /** Returns this configuration with other times to wait before an allocation is refused. */
  public MemoryConfig withWaits(WaitTimes other) {
    return new MemoryConfig(limitInBytes, advice, access, other, spilling, retryPauseMillis);
  }

  /** Returns this configuration with another policy of when batches leave memory and come back. */
  public MemoryConfig withSpilling(SpillPolicy other) {
    return new MemoryConfig(limitInBytes, advice, access, waits, other, retryPauseMillis);
  }

  /** Returns this configuration with another first pause before a call is repeated; 0 for none. */
  public MemoryConfig withRetryPause(long millis) {
    return new MemoryConfig(limitInBytes, advice, access, waits, spilling, millis);
  }
}
