package io.ariadne.shuffle;

import io.ariadne.columnar.BatchSource;
import java.util.List;

/** Opens the input of reduce tasks. Thread-safe. */
public interface PartitionReader {
  /**
   * Where blocks are.
   *
   * @param executor who serves them
   * @param blocks what is wanted from there, in the order of sending
   */
  record Location(String executor, List<BlockId> blocks) {
    /** Copies the list. */
    public Location {
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * Opens the blocks of one reduce task as one stream. Blocks of several executors arrive mixed;
   * order within a block is kept. Blocks of this process are handed over without being encoded.
   *
   * @param locations what to fetch from whom; the statistics of the map outputs have left out
   *     blocks without rows
   * @return a stream to be closed by the caller; {@link BatchSource#next} fails with {@link
   *     io.ariadne.error.ErrorCode#TRANSPORT} naming block and executor when retries are used up,
   *     which Spark is told as a fetch failure, and with CORRUPT_DATA when a checksum is wrong
   *     twice
   */
  BatchSource open(List<Location> locations);
}
