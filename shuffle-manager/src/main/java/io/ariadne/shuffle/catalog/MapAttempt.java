package io.ariadne.shuffle.catalog;

/**
 * A running attempt of a map task. Used by one thread; another thread may drop its shuffle. Once
 * the shuffle is dropped, the output of the attempt is useless, and the commit frees it.
 *
 * <p>Attempts that begin after the drop may compute the shuffle again: Spark removes the outputs of
 * shuffles that it may still need.
 */
public final class MapAttempt implements AutoCloseable {
  private final MapOutputs outputs;
  private final int shuffleId;
  private final long mapId;

  /** Guarded by the outputs. */
  private boolean isOutdated;

  MapAttempt(MapOutputs outputs, int shuffleId, long mapId) {
    this.outputs = outputs;
    this.shuffleId = shuffleId;
    this.mapId = mapId;
  }

  /**
   * Begins the attempt's output. Readers see nothing of it before it is committed.
   *
   * @param places which partition's rows come first
   * @param targetBytes bytes to gather before rows of one partition are concatenated
   * @return a writer that the caller closes, also after the commit; closing it ends the attempt
   */
  public MapOutputWriter write(MapOutputs.Places places, long targetBytes) {
    return new MapOutputWriter(outputs, this, places, targetBytes);
  }

  int shuffleId() {
    return shuffleId;
  }

  long mapId() {
    return mapId;
  }

  /** Records that the shuffle was dropped. The caller has the monitor of the outputs. */
  void outdate() {
    isOutdated = true;
  }

  /** Returns whether the shuffle was dropped. The caller has the monitor of the outputs. */
  boolean isOutdated() {
    return isOutdated;
  }

  /** Ends the attempt; a committed output stays. Idempotent. */
  @Override
  public void close() {
    outputs.end(this);
  }
}
