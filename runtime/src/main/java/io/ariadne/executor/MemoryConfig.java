package io.ariadne.executor;

import io.ariadne.memory.MemorySource;
import io.ariadne.spill.WaitTimes;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * What the memory pools of an {@link ExecutorRuntime} are made of, checked and immutable.
 *
 * @param limitInBytes hard limit of the host's pool
 * @param advice what users can do when that is too little, for messages
 * @param access what a pool gets its memory through, given where the memory is: the identity, but
 *     where tests have some requests refused
 * @param waits how long somebody waits for memory before the allocation is refused
 */
public record MemoryConfig(
    long limitInBytes,
    String advice,
    UnaryOperator<MemorySource> access,
    WaitTimes waits,
    long retryPauseMillis) {
  private static final long RETRY_PAUSE_MILLIS = 4;
  private static final String ADVICE = "give the runtime more memory or fewer compute threads";

  /** Checks the bounds. */
  public MemoryConfig {
    RuntimeConfig.requirePositive("limitInBytes", limitInBytes);
    Objects.requireNonNull(advice, "advice is null");
    Objects.requireNonNull(access, "access is null");
    Objects.requireNonNull(waits, "waits is null");
    if (retryPauseMillis < 0) {
      throw new IllegalArgumentException("retryPauseMillis=" + retryPauseMillis);
    }
  }

  /** Returns pools of which only the limit of the host's is chosen. */
  public static MemoryConfig of(long limitInBytes) {
    return new MemoryConfig(
        limitInBytes, ADVICE, UnaryOperator.identity(), WaitTimes.DEFAULT, RETRY_PAUSE_MILLIS);
  }

  /** Returns these with another advice for messages that say memory has run out. */
  public MemoryConfig withAdvice(String other) {
    return new MemoryConfig(limitInBytes, other, access, waits, retryPauseMillis);
  }

  /** Returns these with pools that get their memory in another way. */
  public MemoryConfig withAccess(UnaryOperator<MemorySource> other) {
    return new MemoryConfig(limitInBytes, advice, other, waits, retryPauseMillis);
  }

  /** Returns these with other times to wait before an allocation is refused. */
  public MemoryConfig withWaits(WaitTimes other) {
    return new MemoryConfig(limitInBytes, advice, access, other, retryPauseMillis);
  }

  /** Returns this configuration with another first pause before a call is repeated; 0 for none. */
  public MemoryConfig withRetryPause(long millis) {
    return new MemoryConfig(limitInBytes, advice, access, waits, millis);
  }
}
