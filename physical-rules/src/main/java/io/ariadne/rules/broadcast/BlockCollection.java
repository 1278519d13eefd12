package io.ariadne.rules.broadcast;

import io.ariadne.bridge.UndeclaredExceptions;
import io.ariadne.bridge.node.PartitionValue;
import io.ariadne.bridge.output.ResultBytes;
import io.ariadne.bridge.vector.SparkBatches;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ProcessRuntime;
import io.ariadne.shuffle.format.BlockBuffer;
import io.ariadne.shuffle.format.EncodedBlock;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.joins.EmptyHashedRelation$;
import org.apache.spark.sql.execution.joins.HashedRelation;
import org.apache.spark.sql.execution.joins.HashedRelationWithAllNullKeys$;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.io.ChunkedByteBuffer;
import scala.Tuple2;

/**
 * The rows of all partitions as blocks, on Spark's driver.
 *
 * @param blocks the blocks, in the order of the partitions
 * @param rowCount number of rows
 * @param sizeInBytes least bytes of the rows as separate batches
 */
public record BlockCollection(List<byte[]> blocks, long rowCount, long sizeInBytes) {
  private static final long TARGET_BYTES = 4L << 20;
  private static final int END = -1;

  /**
   * What a task does for the driver: makes blocks of its batches. What it sends is a pair of
   * Spark's own types, which any serializer of results knows: the number of rows, and the length
   * and bytes of each block, -1, and the bytes that the rows take.
   *
   * @param schema the batches' columns
   */
  public record Packing(Schema schema)
      implements PartitionValue<ColumnarBatch, Tuple2<Object, ChunkedByteBuffer>> {
    @Override
    public Tuple2<Object, ChunkedByteBuffer> apply(Iterator<ColumnarBatch> input) {
      long[] rows = {0};
      ChunkedByteBuffer packed = ResultBytes.pack(out -> rows[0] = write(input, out));
      return new Tuple2<>(rows[0], packed);
    }

    /** Returns the number of rows. */
    private long write(Iterator<ColumnarBatch> input, DataOutputStream out) throws IOException {
      long rows = 0;
      long bytes = 0;
      try (BlockBuffer buffer = new BlockBuffer(1, TARGET_BYTES, ProcessRuntime.get().pool())) {
        while (input.hasNext()) {
          RecordBatch batch = SparkBatches.fromSpark(input.next(), schema, 0);
          rows += batch.rowCount();
          if (!buffer.canAdd(batch)) {
            bytes += drain(buffer, batch, out);
          }
          buffer.add(batch, new int[] {0, batch.rowCount()});
          if (buffer.isFull()) {
            bytes += drain(buffer, null, out);
          }
        }
        bytes += drain(buffer, null, out);
      }
      out.writeInt(END);
      out.writeLong(bytes);
      return rows;
    }

    /** Writes a block and closes it; returns the bytes that its rows take in memory. */
    private long write(EncodedBlock written, DataOutputStream out) throws IOException {
      try (EncodedBlock block = written) {
        byte[] copied = new byte[Math.toIntExact(block.lengthInBytes())];
        Memory.copy(block.address(), copied, 0, copied.length);
        out.writeInt(copied.length);
        out.write(copied);
        return bytesOf(block);
      }
    }

    /**
     * Returns the least bytes that a block's rows take in memory. The batches that they come in
     * would give too many bytes: their heaps also have characters of rows that were dropped.
     */
    private long bytesOf(EncodedBlock block) {
      long widths =
          schema.fields().stream()
              .mapToLong(field -> field.type().defaultPhysicalType().widthInBytes())
              .sum();
      return Math.max(block.rowCount() * widths, block.lengthInBytes());
    }

    /**
     * Writes what was gathered; closes a batch that waits for it when that fails.
     *
     * @return what the rows take in memory
     */
    private long drain(BlockBuffer buffer, RecordBatch waiting, DataOutputStream out)
        throws IOException {
      long bytes = 0;
      try {
        for (EncodedBlock block = buffer.next(); block != null; block = buffer.next()) {
          bytes += write(block, out);
        }
        return bytes;
      } catch (IOException | RuntimeException | Error e) {
        if (waiting != null) {
          waiting.close();
        }
        throw e;
      }
    }
  }

  /** Takes the results of the tasks. */
  public static BlockCollection of(List<Tuple2<Object, ChunkedByteBuffer>> packed) {
    List<byte[]> blocks = new ArrayList<>();
    long rows = 0;
    long bytes = 0;
    for (Tuple2<Object, ChunkedByteBuffer> partition : packed) {
      rows += (Long) partition._1();
      try (DataInputStream in = ResultBytes.unpack(partition._2())) {
        for (int length = in.readInt(); length != END; length = in.readInt()) {
          byte[] block = new byte[length];
          in.readFully(block);
          blocks.add(block);
        }
        bytes += in.readLong();
      } catch (IOException e) {
        throw UndeclaredExceptions.raise(e);
      }
    }
    return new BlockCollection(blocks, rows, bytes);
  }

  /**
   * Returns what to broadcast. An empty relation, and that of a NOT IN of which a null alone
   * decides, are known by their identity to Spark and its optimizer.
   *
   * @param form what the rows are to Spark
   * @param mostRows with more rows it is Spark's own relation or array
   * @param mostBytes if the rows take more, too
   * @return a {@link HashedRelation}, or where rows are an array to Spark, that or {@link
   *     ColumnarRows}
   */
  public Object value(BroadcastForm form, long mostRows, long mostBytes) {
    if (rowCount == 0) {
      return form.isArray() ? new InternalRow[0] : EmptyHashedRelation$.MODULE$;
    }
    BroadcastBlocks made = new BroadcastBlocks(this, form);
    if (rowCount > mostRows || sizeInBytes > mostBytes) {
      return made.value();
    }
    if (form.isArray()) {
      return new ColumnarRows(made);
    }
    if (form.isNullAware() && made.hasNullKey()) {
      return HashedRelationWithAllNullKeys$.MODULE$;
    }
    return form.isLong() ? new ColumnarLongRelation(made) : new ColumnarRelation(made);
  }
}
