package io.ariadne.shuffle.transport;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks a peer for blocks: as many as fit in a number of bytes. What does not fit is asked for again
 * by another request, so the peer keeps nothing between requests.
 *
 * <p>Bytes, big endian: version (1), bytes that the reply may have (8), bytes per second (8),
 * number of ranges (4); per range shuffle (4), map attempt (8), first partition (4), end (4), first
 * row (8), use (1).
 *
 * @param ranges the wanted rows, in the order in which they are sent; at least one, at most {@link
 *     #MAX_RANGES}
 * @param maxBytes bytes of the blocks of the reply, at least 1
 * @param bytesPerSecond how fast replies of the peer lately arrived; 0 when it is not known
 */
record BlockRequest(List<BlockRange> ranges, long maxBytes, long bytesPerSecond) {
  /** Most ranges of a request. */
  static final int MAX_RANGES = 4096;

  private static final byte VERSION = 3;
  private static final int HEADER_BYTES = 1 + 2 * Long.BYTES + Integer.BYTES;
  private static final int RANGE_BYTES = 3 * Integer.BYTES + 2 * Long.BYTES + 1;

  /** Checks the bounds. */
  BlockRequest {
    if (ranges.isEmpty() || ranges.size() > MAX_RANGES || maxBytes < 1 || bytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "%d ranges in %d bytes at %d bytes per second"
              .formatted(ranges.size(), maxBytes, bytesPerSecond));
    }
    ranges = List.copyOf(ranges);
  }

  /** Returns the bytes of this request. */
  ByteBuffer encoded() {
    ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + ranges.size() * RANGE_BYTES);
    bytes.put(VERSION).putLong(maxBytes).putLong(bytesPerSecond).putInt(ranges.size());
    for (BlockRange range : ranges) {
      bytes
          .putInt(range.shuffleId())
          .putLong(range.mapId())
          .putInt(range.firstPartition())
          .putInt(range.endPartition())
          .putLong(range.firstRow())
          .put((byte) range.use().ordinal());
    }
    return bytes.flip();
  }

  /**
   * Reads a request of a peer that is not trusted.
   *
   * @throws EngineException TRANSPORT when the bytes are not a request
   */
  static BlockRequest decode(ByteBuffer bytes) {
    try {
      byte version = bytes.get();
      if (version != VERSION) {
        throw new IllegalArgumentException("version " + version);
      }
      long maxBytes = bytes.getLong();
      long bytesPerSecond = bytes.getLong();
      int count = bytes.getInt();
      if (count < 1 || count > MAX_RANGES || bytes.remaining() != count * RANGE_BYTES) {
        throw new IllegalArgumentException(count + " ranges in " + bytes.remaining() + " bytes");
      }
      List<BlockRange> ranges = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        ranges.add(
            new BlockRange(
                bytes.getInt(),
                bytes.getLong(),
                bytes.getInt(),
                bytes.getInt(),
                bytes.getLong(),
                use(bytes.get())));
      }
      return new BlockRequest(ranges, maxBytes, bytesPerSecond);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new EngineException(
          ErrorCode.TRANSPORT, "a request for blocks is not valid: " + e.getMessage(), e);
    }
  }

  private static BlockRange.Use use(byte number) {
    BlockRange.Use[] uses = BlockRange.Use.values();
    if (number < 0 || number >= uses.length) {
      throw new IllegalArgumentException("use " + number);
    }
    return uses[number];
  }
}
