package io.ariadne.shuffle.spark;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Blocks in streams of bytes: eight bytes of length, eight of the number of the map task's attempt,
 * then the block. Used by one thread.
 */
public final class BlockStreams {
  private static final int PIECE_BYTES = 64 << 10;

  /** Through which bytes go between memory outside of the heap and streams. */
  private byte[] piece = {};

  /** Creates what writes and reads with a buffer of its own. */
  public BlockStreams() {}

  /**
   * Writes a block.
   *
   * @param out where to
   * @param block its bytes
   * @param mapId number of the attempt of the map task that made it
   */
  public void write(DataOutputStream out, BlockBytes block, long mapId) throws IOException {
    out.writeLong(block.lengthInBytes());
    out.writeLong(mapId);
    growTo(block.lengthInBytes());
    for (long done = 0; done < block.lengthInBytes(); done += piece.length) {
      int count = (int) Math.min(piece.length, block.lengthInBytes() - done);
      Memory.copy(block.address() + done, piece, 0, count);
      out.write(piece, 0, count);
    }
  }

  /** Reads the bytes of a block. */
  MemoryBuffer read(DataInputStream in, long lengthInBytes, BufferAllocator allocator)
      throws IOException {
    MemoryBuffer bytes = allocator.allocate(lengthInBytes);
    boolean isRead = false;
    try {
      read(in, bytes.address(), lengthInBytes);
      isRead = true;
      return bytes;
    } finally {
      if (!isRead) { // also for Spark's checked exceptions, which nobody declares
        bytes.close();
      }
    }
  }

  private void read(DataInputStream in, long address, long lengthInBytes) throws IOException {
    growTo(lengthInBytes);
    long done = 0;
    while (done < lengthInBytes) {
      int count = (int) Math.min(piece.length, lengthInBytes - done);
      in.readFully(piece, 0, count);
      Memory.copy(piece, 0, address + done, count);
      done += count;
    }
  }

  private void growTo(long lengthInBytes) {
    int most = (int) Math.min(PIECE_BYTES, lengthInBytes);
    if (piece.length < most) {
      piece = new byte[most];
    }
  }
}
