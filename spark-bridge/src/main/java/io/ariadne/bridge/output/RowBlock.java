package io.ariadne.bridge.output;

import io.ariadne.bridge.UndeclaredExceptions;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.apache.spark.util.io.ChunkedByteBufferOutputStream;
import scala.Tuple2;

/**
 * The rows of a partition on their way to the driver, compressed as Spark does it: per row its size
 * and its bytes, then -1. What tasks send is a pair of Spark's own types, which any serializer of
 * results knows.
 */
public final class RowBlock {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int END = -1;

  private final long rowCount;
  private final ChunkedByteBuffer bytes;

  /**
   * Takes what a task has sent.
   *
   * @param packed the number of rows, and their bytes
   */
  public RowBlock(Tuple2<Object, ChunkedByteBuffer> packed) {
    this.rowCount = (Long) packed._1();
    this.bytes = packed._2();
  }

  /**
   * Packs rows, in a task.
   *
   * @param rows binary rows
   * @return the number of rows, and their bytes
   */
  public static Tuple2<Object, ChunkedByteBuffer> pack(Iterator<InternalRow> rows) {
    ChunkedByteBufferOutputStream packed =
        new ChunkedByteBufferOutputStream(
            CHUNK_BYTES,
            new scala.runtime.AbstractFunction1<Object, ByteBuffer>() {
              @Override
              public ByteBuffer apply(Object size) {
                return ByteBuffer.allocate((Integer) size);
              }
            });
    long count = 0;
    try (DataOutputStream out = new DataOutputStream(codec().compressedOutputStream(packed))) {
      while (rows.hasNext()) {
        UnsafeRow row = (UnsafeRow) rows.next();
        out.writeInt(row.getSizeInBytes());
        row.writeToStream(out, null);
        count++;
      }
      out.writeInt(END);
    } catch (IOException e) {
      throw UndeclaredExceptions.raise(e);
    }
    return new Tuple2<>(count, packed.toChunkedByteBuffer());
  }

  private static CompressionCodec codec() {
    return org.apache.spark.io.CompressionCodec$.MODULE$.createCodec(SparkEnv.get().conf());
  }

  /** Returns the number of rows. */
  public long rowCount() {
    return rowCount;
  }

  /**
   * Unpacks the rows, each with memory of its own, on the driver.
   *
   * @param fieldCount columns of a row
   */
  public List<InternalRow> rows(int fieldCount) {
    List<InternalRow> rows = new ArrayList<>();
    try (DataInputStream in =
        new DataInputStream(codec().compressedInputStream(bytes.toInputStream(false)))) {
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
