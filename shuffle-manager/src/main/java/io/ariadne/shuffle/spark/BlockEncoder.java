package io.ariadne.shuffle.spark;

import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.shuffle.catalog.MapOutputReader;
import io.ariadne.shuffle.format.EncodedBlock;
import io.ariadne.shuffle.format.RowsEncoder;
import java.io.DataOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.ShuffleBlockId;

/**
 * Makes one partition's stream of blocks of kept rows, compressed and encrypted as Spark's reader
 * expects it. Used by one thread.
 *
 * @param id Spark's name of the partition of a map output
 */
record BlockEncoder(ShuffleBlockId id) {
  /**
   * Writes all rows as one stream.
   *
   * @param rows of this partition
   * @param out stays open
   * @param allocator of host memory, where blocks are made
   */
  void write(MapOutputReader rows, OutputStream out, BufferAllocator allocator) throws IOException {
    OutputStream wrapped = SparkEnv.get().serializerManager().wrapStream(id, new Unclosed(out));
    BlockStreams streams = new BlockStreams();
    RowsEncoder encoder = new RowsEncoder(allocator);
    try (DataOutputStream stream = new DataOutputStream(wrapped)) {
      while (rows.next()) {
        try (RetainedRows held = rows.take()) {
          encoder.add(List.of(new RowsEncoder.Rows(held.batch(), held.first(), held.count())));
          while (!encoder.isEmpty()) {
            write(encoder.next(), streams, stream);
          }
        }
      }
    }
  }

  private void write(EncodedBlock encoded, BlockStreams streams, DataOutputStream out)
      throws IOException {
    try (EncodedBlock block = encoded) {
      streams.write(out, new BlockBytes(block.address(), block.lengthInBytes()), id.mapId());
    }
  }

  /** The partition's stream ends before what it goes to. */
  private static final class Unclosed extends FilterOutputStream {
    Unclosed(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }
}
