package io.ariadne.plugin.network;

import java.io.Serial;
import java.io.Serializable;

/**
 * The way from one executor to another.
 *
 * @param from the executor that sends, as {@code id at host}
 * @param to the executor that receives
 * @param transport what moves map outputs, and how they are encrypted
 * @param latencyNanos time of a request without blocks; 0 when it was not measured
 * @param bytesPerSecond how fast blocks arrive; 0 when it was not measured
 * @param advice what to change; empty for nothing
 */
record PairResult(
    String from,
    String to,
    String transport,
    long latencyNanos,
    double bytesPerSecond,
    String advice)
    implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  boolean isMeasured() {
    return latencyNanos > 0;
  }
}
