package io.ariadne.shuffle.spark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.function.LongConsumer;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Makes batches of blocks. Shipped to executors. */
public interface BlockReader extends Serializable {
  /**
   * Reads the blocks of one partition.
   *
   * @param blocks each to be read before the next one is asked for
   * @param rows told of rows as they are read
   * @param context the task
   * @return batches, each valid until the next one is asked for
   */
  Iterator<ColumnarBatch> read(Iterator<BlockInput> blocks, LongConsumer rows, TaskContext context);
}
