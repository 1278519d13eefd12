package io.ariadne.shuffle.spark;

import io.ariadne.columnar.RetainedRows;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.shuffle.catalog.MapOutputReader;
import io.ariadne.shuffle.catalog.MergedReader;
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
 * Encodes the rows of one partition of a map output in memory as a stream of blocks, compressed and
 * encrypted as Spark's reader expects. Used by one thread.
 *
 * @param id Spark's name of the partition of a map output
 */
record BlockEncoder(ShuffleBlockId id) {
  /**
   * Writes all rows as one stream.
   *
   * @param rows the rows of this partition
   * @param out the target, which stays open
   * @param allocator allocates host memory for blocks
   */
  void write(MapOutputReader rows, OutputStream out, BufferAllocator allocator) throws IOException {
    BlockStreams streams = new BlockStreams();
    RowsEncoder encoder = new RowsEncoder(allocator);
    try (DataOutputStream stream = open(out)) {
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

  /** Writes merged blocks, if there are any, as one stream. */
  void write(MergedReader blocks, OutputStream out) throws IOException {
    if (!blocks.next()) {
      return;
    }
    BlockStreams streams = new BlockStreams();
    try (DataOutputStream stream = open(out)) {
      do {
        try (MemoryBuffer block = blocks.take()) {
          streams.write(stream, new BlockBytes(block.address(), block.lengthInBytes()), id.mapId());
        }
      } while (blocks.next());
    }
  }

  private DataOutputStream open(OutputStream out) {
    return new DataOutputStream(
        SparkEnv.get().serializerManager().wrapStream(id, new Unclosed(out)));
  }

  private void write(EncodedBlock encoded, BlockStreams streams, DataOutputStream out)
      throws IOException {
    try (EncodedBlock block = encoded) {
      streams.write(out, new BlockBytes(block.address(), block.lengthInBytes()), id.mapId());
    }
  }

  /** Leaves the target open when the stream of a partition is closed. */
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
