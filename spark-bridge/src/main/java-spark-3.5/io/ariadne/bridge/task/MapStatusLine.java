package io.ariadne.bridge.task;

import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.storage.BlockManagerId;

/** What map tasks tell the driver: its maker differs between Spark lines. */
public final class MapStatusLine {
  private MapStatusLine() {}

  /**
   * Returns the result of a map task.
   *
   * @param location who has its output
   * @param lengths bytes of each partition, 0 exactly for those without rows
   * @param mapId the attempt's number
   */
  public static MapStatus of(BlockManagerId location, long[] lengths, long mapId) {
    return MapStatus$.MODULE$.apply(location, lengths, mapId);
  }
}
