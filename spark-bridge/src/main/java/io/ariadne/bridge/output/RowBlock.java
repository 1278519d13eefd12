package io.ariadne.bridge.output;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.util.io.ChunkedByteBuffer;
import scala.Tuple2;

/**
 * The rows of a partition on their way to Spark's driver, compressed in Spark's form: for each row
 * its size and its bytes, then -1. Tasks send a pair of Spark's own types, which every serializer
 * of results supports.
 */
public final class RowBlock {
  private static final int END = -1;

  private final long rowCount;
  private final ChunkedByteBuffer bytes;

  /**
   * Wraps what a task has sent.
   *
   * @param packed the number of rows, and their bytes
   */
  public RowBlock(Tuple2<Object, ChunkedByteBuffer> packed) {
    this.rowCount = (Long) packed._1();
    this.bytes = packed._2();
  }

  /**
   * Compresses rows, in a task.
   *
   * @param rows binary rows
   * @return the number of rows, and their bytes
   */
  public static Tuple2<Object, ChunkedByteBuffer> pack(Iterator<InternalRow> rows) {
    long[] count = {0};
    ChunkedByteBuffer packed =
        ResultBytes.pack(
            out -> {
              while (rows.hasNext()) {
                UnsafeRow row = (UnsafeRow) rows.next();
                out.writeInt(row.getSizeInBytes());
                row.writeToStream(out, null);
                count[0]++;
              }
              out.writeInt(END);
            });
    return new Tuple2<>(count[0], packed);
  }

  /** Returns the number of rows. */
  public long rowCount() {
    return rowCount;
  }

  /**
   * Decompresses the rows, each with memory of its own, on Spark's driver.
   *
   * @param fieldCount columns of a row
   */
  public List<InternalRow> rows(int fieldCount) {
    List<InternalRow> rows = new ArrayList<>();
    try (DataInputStream in = ResultBytes.unpack(bytes)) {
      for (long i = 0; i < rowCount; i++) {
        byte[] row = new byte[in.readInt()];
        in.readFully(row);
        UnsafeRow read = new UnsafeRow(fieldCount);
        read.pointTo(row, row.length);
        rows.add(read);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }
}
