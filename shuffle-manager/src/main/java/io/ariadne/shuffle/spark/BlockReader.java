package io.ariadne.shuffle.spark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.function.LongConsumer;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Makes batches from the blocks, and the rows of map outputs in memory, that a reduce task reads.
 * Shipped to executors.
 */
interface BlockReader extends Serializable {
  /**
   * Reads the blocks of one task.
   *
   * @param blocks the records; the reader is done with each before it asks for the next one
   * @param rows receives the number of rows of each record as it is read
   * @param context the task
   * @return batches, each valid until the caller asks for the next one
   */
  Iterator<ColumnarBatch> read(Iterator<BlockInput> blocks, LongConsumer rows, TaskContext context);
}
