package io.ariadne.shuffle.catalog;

/**
 * An attempt of a map task while it runs. Used by one thread, but for drops of its shuffle, which
 * it notices from its beginning on: what it puts out afterwards is of no use to anybody.
 *
 * <p>A shuffle that was dropped may be computed again, by attempts that begin later: Spark removes
 * the outputs of shuffles that it may still need.
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
   * Begins the attempt's output. Nothing of it can be read before it is committed.
   *
   * @param places which partition's rows come first
   * @param targetBytes bytes to gather before rows of one partition are put together
   * @return to be closed by the caller, also after the commit; that ends the attempt, too
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

  /** The caller has the monitor of the outputs. */
  void outdate() {
    isOutdated = true;
  }

  /** Returns whether the shuffle was dropped meanwhile; the caller has the outputs' monitor. */
  boolean isOutdated() {
    return isOutdated;
  }

  /** Ends the attempt; what is committed stays. Idempotent. */
  @Override
  public void close() {
    outputs.end(this);
  }
}
