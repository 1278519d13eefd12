package io.ariadne.shuffle.transport;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.shuffle.codec.Codec;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The head of a reply to a {@link BlockRequest}; the bytes of the blocks follow it.
 *
 * <p>Bytes, big endian: version (1), status (1), whole ranges that are done (4), rows of the next
 * range that are sent as well (8), a number (8), message length (4), number of blocks (4); the
 * message in UTF-8; per block its range (4), rows (4), length (8), codec (1) and length before the
 * compression (8).
 *
 * @param status what the peer did
 * @param doneRanges ranges of the request whose rows are all sent, from the first one on
 * @param doneRows rows of the range after these that are sent
 * @param number with {@link Status#BLOCKS} and {@link Status#BUSY}, how many bytes were read back
 *     from disk for the request; with {@link Status#TOO_LONG}, bytes of the next block; with {@link
 *     Status#GONE}, how many ranges behind those that are done; else 0
 * @param message why there are no blocks; empty otherwise
 * @param blocks the blocks, in order
 */
record BlockReply(
    Status status, int doneRanges, long doneRows, long number, String message, List<Entry> blocks) {
  /** Most bytes of the blocks of a reply: a transport's message has less than 2 GiB. */
  static final long MAX_BYTES = 1L << 30;

  /** More bytes than the batches of a request can have: sums of so many do not overflow. */
  private static final long MAX_READ_BACK_BYTES = 1L << 45;

  /** Most blocks of a reply. */
  static final int MAX_BLOCKS = 1024;

  private static final byte VERSION = 3;
  private static final int HEADER_BYTES = 2 + 3 * Integer.BYTES + 2 * Long.BYTES;
  private static final int ENTRY_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES + 1;
  private static final int MAX_MESSAGE_BYTES = 1 << 10;

  /** What the peer did. */
  enum Status {
    /** It sends blocks. */
    BLOCKS,
    /** It has too little memory, or too much to send: the same request may succeed later. */
    BUSY,
    /** It has no rows of some ranges after those that are done. */
    GONE,
    /** The next block has more bytes than the reply may have. */
    TOO_LONG,
    /** It failed. */
    FAILED
  }

  /**
   * A block.
   *
   * @param range which range of the request its rows are of
   * @param rows number of rows
   * @param lengthInBytes number of bytes
   * @param codec what they are compressed by
   * @param plainBytes number of bytes before the compression
   */
  record Entry(int range, int rows, long lengthInBytes, Codec codec, long plainBytes) {
    /** A block that is not compressed. */
    Entry(int range, int rows, long lengthInBytes) {
      this(range, rows, lengthInBytes, Codec.NONE, lengthInBytes);
    }

    private boolean isWithinLimits() {
      return codec == Codec.NONE
          ? plainBytes == lengthInBytes
          : lengthInBytes < plainBytes && plainBytes <= Codec.MAX_BYTES;
    }
  }

  /** Returns the most bytes of a reply whose blocks have so many. */
  static long maxBytes(long blockBytes) {
    return blockBytes + HEADER_BYTES + MAX_MESSAGE_BYTES + (long) MAX_BLOCKS * ENTRY_BYTES;
  }

  static BlockReply without(Status status, int doneRanges, long number, String message) {
    return new BlockReply(status, doneRanges, 0, number, message, List.of());
  }

  /** Returns the bytes of all blocks. */
  long blockBytes() {
    return blocks.stream().mapToLong(Entry::lengthInBytes).sum();
  }

  /** Returns how many bytes were read back from disk for the request, as far as this says so. */
  long readBackBytes() {
    return status == Status.BLOCKS || status == Status.BUSY ? number : 0;
  }

  /** Returns the bytes of this head. */
  ByteBuffer encoded() {
    byte[] text = message.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, MAX_MESSAGE_BYTES);
    ByteBuffer bytes = ByteBuffer.allocate(HEADER_BYTES + length + blocks.size() * ENTRY_BYTES);
    bytes.put(VERSION).put((byte) status.ordinal()).putInt(doneRanges).putLong(doneRows);
    bytes.putLong(number).putInt(length).putInt(blocks.size()).put(text, 0, length);
    for (Entry block : blocks) {
      bytes.putInt(block.range()).putInt(block.rows()).putLong(block.lengthInBytes());
      bytes.put(block.codec().number()).putLong(block.plainBytes());
    }
    return bytes.flip();
  }

  /**
   * Reads the head of a reply of a peer that is not trusted.
   *
   * @param bytes the reply; on return at its blocks
   * @param request what was asked for
   * @throws EngineException TRANSPORT when the bytes are no reply to that, or the blocks do not
   *     have the lengths that the head says
   */
  static BlockReply decode(ReplyBytes bytes, BlockRequest request) {
    try {
      ByteBuffer header = bytes.take(HEADER_BYTES);
      byte version = header.get();
      int status = header.get();
      if (version != VERSION || status < 0 || status >= Status.values().length) {
        throw new IllegalArgumentException("version " + version + ", status " + status);
      }
      int doneRanges = header.getInt();
      long doneRows = header.getLong();
      long number = header.getLong();
      int messageBytes = header.getInt();
      int blockCount = header.getInt();
      if (messageBytes < 0 || messageBytes > MAX_MESSAGE_BYTES) {
        throw new IllegalArgumentException("a message of " + messageBytes + " bytes");
      }
      if (blockCount < 0 || blockCount > MAX_BLOCKS) {
        throw new IllegalArgumentException(blockCount + " blocks");
      }
      String message = StandardCharsets.UTF_8.decode(bytes.take(messageBytes)).toString();
      ByteBuffer entries = bytes.take(blockCount * ENTRY_BYTES);
      List<Entry> blocks = new ArrayList<>(blockCount);
      for (int i = 0; i < blockCount; i++) {
        blocks.add(
            new Entry(
                entries.getInt(),
                entries.getInt(),
                entries.getLong(),
                Codec.of(entries.get()),
                entries.getLong()));
      }
      BlockReply reply =
          new BlockReply(
              Status.values()[status], doneRanges, doneRows, number, message, List.copyOf(blocks));
      reply.check(bytes.remaining(), request);
      return reply;
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new EngineException(
          ErrorCode.TRANSPORT,
          "a reply to a request for blocks is not valid: " + e.getMessage(),
          e);
    }
  }

  private void check(long blockBytes, BlockRequest request) {
    int ranges = request.ranges().size();
    boolean isDone = doneRanges == ranges;
    if (doneRanges < 0 || doneRanges > ranges || doneRows < 0 || (isDone && doneRows > 0)) {
      throw new IllegalArgumentException(doneRanges + " of " + ranges + " ranges are done");
    }
    if (status != Status.BLOCKS && (isDone || doneRows > 0 || !blocks.isEmpty())) {
      throw new IllegalArgumentException(
          status
              + " with "
              + blocks.size()
              + " blocks and "
              + doneRanges
              + " ranges that are done");
    }
    if (readBackBytes() < 0 || readBackBytes() > MAX_READ_BACK_BYTES) {
      throw new IllegalArgumentException(number + " bytes were read back");
    }
    if (status == Status.TOO_LONG && number <= request.maxBytes()) {
      throw new IllegalArgumentException(number + " bytes are not too many");
    }
    if (status == Status.GONE && (number < 1 || number > ranges - doneRanges)) {
      throw new IllegalArgumentException(
          number + " ranges of " + (ranges - doneRanges) + " are gone");
    }
    checkBlocks(blockBytes, request);
  }

  private void checkBlocks(long blockBytes, BlockRequest request) {
    long sum = 0;
    long rows = 0;
    int last = 0;
    for (Entry block : blocks) {
      if (block.range() < last
          || block.range() > doneRanges
          || block.range() >= request.ranges().size()
          || block.rows() < 1) {
        throw new IllegalArgumentException(
            "a block of range " + block.range() + " with " + block.rows() + " rows");
      }
      if (!block.isWithinLimits()) {
        throw new IllegalArgumentException(
            "%d bytes, by %s of %d"
                .formatted(block.lengthInBytes(), block.codec(), block.plainBytes()));
      }
      if (block.lengthInBytes() < 1 || block.lengthInBytes() > request.maxBytes() - sum) {
        throw new IllegalArgumentException("blocks have more than " + request.maxBytes());
      }
      last = block.range();
      sum += block.lengthInBytes();
      rows += block.range() == doneRanges ? block.rows() : 0;
    }
    if (rows != doneRows) {
      throw new IllegalArgumentException(doneRows + " rows are done, not " + rows);
    }
    if (sum != blockBytes) {
      throw new IllegalArgumentException(blockBytes + " bytes of blocks, not " + sum);
    }
  }
}
