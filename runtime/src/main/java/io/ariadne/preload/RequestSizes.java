package io.ariadne.preload;

import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ReadStep;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Chooses the lengths of requests, and of the gaps to read instead of sending another one, from the
 * measured latency and rate of each storage. Thread-safe.
 */
final class RequestSizes {
  /** A request is so long that its latency takes at most a fifth of its time. */
  private static final int LATENCIES_PER_REQUEST = 4;

  private static final long LEAST_REQUEST_BYTES = 512 << 10;
  private static final long MOST_REQUEST_BYTES = 8 << 20;

  /**
   * Requests that the bytes ahead consist of at least: each stays in memory until its last byte.
   */
  private static final int REQUESTS_AHEAD = 16;

  private static final long LEAST_GAP_BYTES = 4 << 10;
  private static final long MOST_GAP_BYTES = 1 << 20;

  private final ConcurrentMap<String, TransferModel> models = new ConcurrentHashMap<>();

  /** Returns the model of the requests to a storage. */
  TransferModel model(ByteRangeReader file) {
    return models.computeIfAbsent(file.storage(), key -> new TransferModel());
  }

  /**
   * Returns the longest gap to read: half of what arrives in the time of a latency; 0 without
   * coalescing.
   */
  long maxGap(ByteRangeReader file) {
    if (!ReadStep.COALESCING.isOn()) {
      return 0;
    }
    long gap = (long) model(file).bytesPerLatency() / 2;
    return Math.max(LEAST_GAP_BYTES, Math.min(gap, MOST_GAP_BYTES));
  }

  /**
   * Returns the length of requests: long enough for the latency to matter little; longer when many
   * bytes wait, but then at most a sixteenth of the bytes that may be held.
   *
   * @param file the file
   * @param queuedBytes bytes that wait to be read
   * @param requests how many requests can be in progress
   * @param aheadBytes how many bytes may be held that have arrived before they are needed
   */
  long maxRequestBytes(ByteRangeReader file, long queuedBytes, int requests, long aheadBytes) {
    long efficient = (long) (LATENCIES_PER_REQUEST * model(file).bytesPerLatency());
    long longer = Math.min(queuedBytes / (2L * requests), aheadBytes / REQUESTS_AHEAD);
    long wanted = Math.max(efficient, longer);
    return Math.max(LEAST_REQUEST_BYTES, Math.min(wanted, MOST_REQUEST_BYTES));
  }
}
