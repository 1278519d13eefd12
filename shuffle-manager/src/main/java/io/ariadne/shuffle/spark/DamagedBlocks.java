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
 * Reports damaged blocks to Spark's scheduler as fetch failures, so that Spark runs the map tasks
 * again that wrote them. Used by the task thread.
 *
 * @param shuffleId the shuffle
 * @param range the part of the shuffle that the task reads
 */
record DamagedBlocks(int shuffleId, ShuffleRange range) {
  /**
   * Returns the exception to throw for a damaged block: Spark's checked {@link
   * FetchFailedException}, which its constructor records in the task, or the cause itself when
   * Spark knows no output of this attempt.
   *
   * @param mapId attempt number of the map task, as the block's stream has it
   * @param cause what is wrong with the block
   */
  Throwable failure(long mapId, Throwable cause) {
    try {
      return fetchFailure(mapId, cause);
    } catch (RuntimeException | AssertionError e) {
      // Spark asserts that the shuffle has no merged outputs, whose map tasks are not known.
      cause.addSuppressed(e);
      return cause;
    }
  }

  /** Names a block in error messages. */
  String nameOf(long mapId) {
    return "shuffle "
        + shuffleId
        + ", map attempt "
        + mapId
        + ", partitions "
        + range.firstReducer()
        + " to "
        + (range.endReducer() - 1);
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
    String prefix = "shuffle_" + shuffleId + "_" + mapId + "_";
    while (outputs.hasNext()) {
      Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>> output = outputs.next();
      Iterator<Tuple3<BlockId, Object, Object>> blocks = output._2().iterator();
      while (blocks.hasNext()) {
        Tuple3<BlockId, Object, Object> block = blocks.next();
        if (block._1().name().startsWith(prefix)) {
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
