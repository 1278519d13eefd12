package io.ariadne.shuffle.spark;

import io.ariadne.columnar.buffer.Memory;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Writes blocks to streams and reads them back. In a stream, a block's length (8 bytes, big endian)
 * and the attempt number of its map task (8 bytes) precede the block. Holds the array through which
 * bytes pass between memory outside the heap and streams. Used by one thread.
 */
final class BlockStreams {
  private static final int MAX_COPY_BYTES = 64 << 10;

  private byte[] copyBuffer = {};

  /**
   * Writes a block.
   *
   * @param out the stream, which stays open
   * @param block the block's bytes
   * @param mapId attempt number of the map task that computed the block
   */
  void write(DataOutputStream out, BlockBytes block, long mapId) throws IOException {
    out.writeLong(block.lengthInBytes());
    out.writeLong(mapId);
    growTo(block.lengthInBytes());
    for (long done = 0; done < block.lengthInBytes(); done += copyBuffer.length) {
      int count = (int) Math.min(copyBuffer.length, block.lengthInBytes() - done);
      Memory.copy(block.address() + done, copyBuffer, 0, count);
      out.write(copyBuffer, 0, count);
    }
  }

  /**
   * Reads bytes of a block into host memory.
   *
   * @param in the stream
   * @param address address of the first byte
   * @param lengthInBytes number of bytes
   * @throws IOException when the stream ends early or cannot be read
   */
  void read(DataInputStream in, long address, long lengthInBytes) throws IOException {
    growTo(lengthInBytes);
    long done = 0;
    while (done < lengthInBytes) {
      int count = (int) Math.min(copyBuffer.length, lengthInBytes - done);
      in.readFully(copyBuffer, 0, count);
      Memory.copy(copyBuffer, 0, address + done, count);
      done += count;
    }
  }

  private void growTo(long lengthInBytes) {
    int most = (int) Math.min(MAX_COPY_BYTES, lengthInBytes);
    if (copyBuffer.length < most) {
      copyBuffer = new byte[most];
    }
  }
}
