package io.ariadne.shuffle.spark;

import org.apache.spark.SparkEnv;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManagerId;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;

/**
 * Reports damaged blocks to Spark's scheduler as fetch failures, so that the map tasks they come
 * from are run again. Used by the task's thread.
 *
 * @param shuffleId the shuffle
 * @param range what the task reads of it
 */
record DamagedBlocks(int shuffleId, ShuffleRange range) {
  /**
   * Returns what to throw: Spark's checked exception, which is noted in the task already, or the
   * cause itself when no map task of this number is known.
   *
   * @param mapId number of the attempt that wrote the block, by the block's own account
   * @param cause what is wrong with it
   */
  Throwable failure(long mapId, Throwable cause) {
    try {
      return fetchFailure(mapId, cause);
    } catch (RuntimeException | AssertionError e) {
      // Spark asserts that there are no merged outputs, of which nobody knows the map task.
      cause.addSuppressed(e);
      return cause;
    }
  }

  private Throwable fetchFailure(long mapId, Throwable cause) {
    Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> outputs =
        SparkEnv.get()
            .mapOutputTracker()
            .getMapSizesByExecutorId(
                shuffleId,
                range.firstMap(),
                range.endMap(),
                range.firstReducer(),
                range.endReducer());
    String suffix = "shuffle_" + shuffleId + "_" + mapId + "_";
    while (outputs.hasNext()) {
      Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>> output = outputs.next();
      Iterator<Tuple3<BlockId, Object, Object>> blocks = output._2().iterator();
      while (blocks.hasNext()) {
        Tuple3<BlockId, Object, Object> block = blocks.next();
        if (block._1().name().startsWith(suffix)) {
          return new FetchFailedException(
              output._1(),
              shuffleId,
              mapId,
              (Integer) block._3(),
              range.firstReducer(),
              cause.getMessage(),
              cause);
        }
      }
    }
    return cause;
  }
}
