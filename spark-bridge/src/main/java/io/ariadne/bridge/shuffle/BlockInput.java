package io.ariadne.bridge.shuffle;

import io.ariadne.columnar.buffer.Memory;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A block as Spark's reader gives it: bytes to be read once, before the next record is asked for.
 */
public final class BlockInput {
  private static final int PIECE_BYTES = 64 << 10;

  private final DataInputStream in;
  private byte[] piece = {};
  private long lengthInBytes;
  private long mapId;
  private DamagedBlocks damaged;

  BlockInput(DataInputStream in) {
    this.in = in;
  }

  void begin(long length, long writer) {
    lengthInBytes = length;
    mapId = writer;
  }

  void reportTo(DamagedBlocks reports) {
    damaged = reports;
  }

  /**
   * Returns what to throw when the block is damaged, which makes Spark run the map task again that
   * it comes from; may be a checked exception.
   *
   * @param cause what is wrong
   */
  public Throwable failure(Throwable cause) {
    return damaged == null ? cause : damaged.failure(mapId, cause);
  }

  /**
   * Returns how many bytes the block has by what stands before it; may be anything when the stream
   * is damaged.
   */
  public long lengthInBytes() {
    return lengthInBytes;
  }

  /**
   * Copies all bytes.
   *
   * @param address room for {@link #lengthInBytes}
   * @throws UncheckedIOException when the stream ends early or fails
   */
  public void read(long address) {
    try {
      int most = (int) Math.min(PIECE_BYTES, lengthInBytes);
      if (piece.length < most) {
        piece = new byte[most];
      }
      long done = 0;
      while (done < lengthInBytes) {
        int count = (int) Math.min(piece.length, lengthInBytes - done);
        in.readFully(piece, 0, count);
        Memory.copy(piece, 0, address + done, count);
        done += count;
      }
      lengthInBytes = 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
