package io.ariadne.rules.exec.task;

import io.ariadne.bridge.node.PartitionValue;
import io.ariadne.bridge.vector.SparkBatches;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.sort.RowKeys;
import io.ariadne.operator.sort.SortColumn;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Keys of some rows of a partition, chosen at random with equal probability.
 *
 * @param rowCount number of rows in the partition
 * @param keys as {@link RowKeys#at} returns them
 */
public record KeySample(long rowCount, List<Object[]> keys) implements Serializable {
  private static final ClassTag<KeySample> TAG = ClassTag$.MODULE$.apply(KeySample.class);

  /**
   * Takes a sample in a task, batch by batch, as Spark's {@code SamplingUtils} does row by row. The
   * result is bytes, because the user may have chosen a serializer that does not know this class.
   * The same rows in the same order give the same sample.
   *
   * @param schema columns of the batches
   * @param columns the keys
   * @param sizes tells how many rows to choose of a partition, if it has as many
   */
  public record Task(Schema schema, List<SortColumn> columns, Sizes sizes)
      implements PartitionValue<ColumnarBatch, byte[]> {
    @Override
    public byte[] apply(Iterator<ColumnarBatch> input) {
      int partition = TaskContext.getPartitionId();
      SplittableRandom random = new SplittableRandom(partition);
      int size = sizes.of(partition);
      List<Object[]> keys = new ArrayList<>();
      long rowCount = 0;
      while (input.hasNext()) {
        try (RecordBatch batch = SparkBatches.fromSpark(input.next(), schema, rowCount)) {
          choose(keys, size, new RowKeys(batch, columns), rowCount, batch.rowCount(), random);
          rowCount += batch.rowCount();
        }
      }
      return new KeySample(rowCount, keys).toBytes();
    }

    /** Fills a reservoir: a row takes a free place, or by chance that of an earlier row. */
    private static void choose(
        List<Object[]> keys,
        int size,
        RowKeys batch,
        long before,
        int rowCount,
        SplittableRandom random) {
      for (int row = 0; row < rowCount; row++) {
        if (keys.size() < size) {
          keys.add(batch.at(row));
          continue;
        }
        long place = random.nextLong(before + row + 1);
        if (place < size) {
          keys.set((int) place, batch.at(row));
        }
      }
    }
  }

  /** How many rows to choose of which partition. Shipped to executors. */
  public interface Sizes extends Serializable {
    /** Returns the number for a partition. */
    int of(int partition);
  }

  private byte[] toBytes() {
    ByteBuffer buffer = SparkEnv.get().closureSerializer().newInstance().serialize(this, TAG);
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  /** Returns the sample a task has returned. */
  public static KeySample of(byte[] bytes) {
    return SparkEnv.get()
        .closureSerializer()
        .newInstance()
        .deserialize(ByteBuffer.wrap(bytes), KeySample.class.getClassLoader(), TAG);
  }
}
