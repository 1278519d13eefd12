package io.ariadne.shuffle;

import io.ariadne.bridge.shuffle.BlockBytes;
import io.ariadne.bridge.shuffle.BlockStreams;
import io.ariadne.shuffle.catalog.MapOutputReader;
import java.io.DataOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.ShuffleBlockId;

/**
 * Makes one partition's stream of kept blocks, compressed and encrypted as Spark's reader expects
 * it. Used by one thread.
 *
 * @param id Spark's name of the partition of a map output
 */
record BlockEncoder(ShuffleBlockId id) {
  /**
   * Writes all blocks as one stream.
   *
   * @param blocks of this partition
   * @param out stays open
   */
  void write(MapOutputReader blocks, OutputStream out) throws IOException {
    OutputStream wrapped = SparkEnv.get().serializerManager().wrapStream(id, new Unclosed(out));
    BlockStreams streams = new BlockStreams();
    try (DataOutputStream stream = new DataOutputStream(wrapped)) {
      while (blocks.next()) {
        long length = blocks.lengthInBytes();
        blocks.read(address -> streams.write(stream, new BlockBytes(address, length), id.mapId()));
      }
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
