package io.ariadne.bridge.output;

import io.ariadne.bridge.UndeclaredExceptions;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.spark.SparkEnv;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.apache.spark.util.io.ChunkedByteBufferOutputStream;

/**
 * Compresses what a task sends to Spark's driver, with the application's codec, as {@code
 * SparkPlan.getByteArrayRdd} compresses rows. Spark limits the size of task results but does not
 * compress them.
 */
public final class ResultBytes {
  private static final int CHUNK_BYTES = 1 << 20;

  private ResultBytes() {}

  /** Writes the content. */
  public interface Content {
    /** Writes everything to a stream, which the caller closes. */
    void write(DataOutputStream out) throws IOException;
  }

  /** Writes and compresses the content, in a task. Throws what the content throws, undeclared. */
  public static ChunkedByteBuffer pack(Content content) {
    ChunkedByteBufferOutputStream packed =
        new ChunkedByteBufferOutputStream(
            CHUNK_BYTES,
            new scala.runtime.AbstractFunction1<Object, ByteBuffer>() {
              @Override
              public ByteBuffer apply(Object size) {
                return ByteBuffer.allocate((Integer) size);
              }
            });
    try (DataOutputStream out = new DataOutputStream(codec().compressedOutputStream(packed))) {
      content.write(out);
    } catch (IOException e) {
      throw UndeclaredExceptions.raise(e);
    }
    return packed.toChunkedByteBuffer();
  }

  /**
   * Returns the decompressed content; can be called repeatedly. The caller must close the stream.
   */
  public static DataInputStream unpack(ChunkedByteBuffer packed) {
    return new DataInputStream(codec().compressedInputStream(packed.toInputStream(false)));
  }

  private static CompressionCodec codec() {
    return CompressionCodec$.MODULE$.createCodec(SparkEnv.get().conf());
  }
}
