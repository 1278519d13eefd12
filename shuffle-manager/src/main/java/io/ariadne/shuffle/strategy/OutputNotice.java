package io.ariadne.shuffle.strategy;

import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * What an executor tells another one about map outputs. A lost notice costs time and no rows.
 *
 * <p>Bytes, big endian: {@link #FIRST_BYTE} (1), version (1), kind (1), flags (1), shuffle (4),
 * first partition (4), end (4), length of the executor's name (4), number of map attempts (4),
 * number of sizes (4); the name in UTF-8, the attempts (8 each), the sizes (4 each).
 *
 * @param kind what happened
 * @param executor Spark's id of the sender
 * @param shuffleId the shuffle
 * @param mapIds the map attempts
 * @param first the first partition
 * @param end behind the last partition
 * @param sizes for {@link Kind#COMMITTED} about how many bytes each of the partitions has, 0 for
 *     none; else empty
 * @param drops for {@link Kind#COMMITTED}: whether the sender drops the rows that are merged
 */
record OutputNotice(
    Kind kind,
    String executor,
    int shuffleId,
    long[] mapIds,
    int first,
    int end,
    int[] sizes,
    boolean drops) {
  /** No request for blocks begins with this byte. */
  static final byte FIRST_BYTE = 'N';

  /** Most bytes of a notice. */
  static final int MAX_BYTES = 1 << 20;

  private static final int[] NO_SIZES = {};
  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 4 + 6 * Integer.BYTES;
  private static final int MAX_NAME_BYTES = 1 << 10;

  /** What happened. */
  enum Kind {
    /** A map attempt has rows for partitions of the receiver. */
    COMMITTED,
    /** The sender has copied rows of the receiver's map attempts. */
    MERGED,
    /** The sender no longer has map attempts that it announced. */
    FORGOTTEN
  }

  /** Returns a notice about map attempts without sizes. */
  static OutputNotice of(
      Kind kind, String executor, int shuffleId, List<Long> mapIds, int first, int end) {
    long[] ids = mapIds.stream().mapToLong(id -> id).toArray();
    return new OutputNotice(kind, executor, shuffleId, ids, first, end, NO_SIZES, false);
  }

  /** Returns what a receiver does on {@link Kind#COMMITTED}. */
  MergeJob job() {
    return new MergeJob(executor, shuffleId, mapIds[0], first, end, sizes, drops);
  }

  /** Returns whether the bytes of a message are to be a notice. */
  static boolean isNotice(ByteBuffer message) {
    return message.hasRemaining() && message.get(message.position()) == FIRST_BYTE;
  }

  /** Returns the number of bytes of {@link #encoded}. */
  long encodedBytes() {
    return HEADER_BYTES
        + executor.getBytes(StandardCharsets.UTF_8).length
        + (long) mapIds.length * Long.BYTES
        + (long) sizes.length * Integer.BYTES;
  }

  /** Returns the bytes of this notice, which has at most {@link #MAX_BYTES}. */
  ByteBuffer encoded() {
    byte[] name = executor.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(encodedBytes()));
    bytes.put(FIRST_BYTE).put(VERSION).put((byte) kind.ordinal()).put((byte) (drops ? 1 : 0));
    bytes.putInt(shuffleId).putInt(first).putInt(end);
    bytes.putInt(name.length).putInt(mapIds.length).putInt(sizes.length).put(name);
    for (long mapId : mapIds) {
      bytes.putLong(mapId);
    }
    for (int size : sizes) {
      bytes.putInt(size);
    }
    return bytes.flip();
  }

  /**
   * Reads a notice of a peer that is not trusted.
   *
   * @throws EngineException TRANSPORT when the bytes are no notice
   */
  static OutputNotice decode(ByteBuffer bytes) {
    try {
      byte first = bytes.get();
      byte version = bytes.get();
      if (first != FIRST_BYTE || version != VERSION) {
        throw new IllegalArgumentException("version " + version);
      }
      Kind kind = kind(bytes.get());
      boolean drops = bytes.get() != 0;
      int shuffleId = bytes.getInt();
      int firstPartition = bytes.getInt();
      int endPartition = bytes.getInt();
      int nameBytes = bytes.getInt();
      int attempts = bytes.getInt();
      int sizeCount = bytes.getInt();
      check(kind, firstPartition, endPartition, sizeCount);
      if (nameBytes < 0
          || nameBytes > MAX_NAME_BYTES
          || attempts < 1
          || bytes.remaining()
              != nameBytes + (long) attempts * Long.BYTES + (long) sizeCount * Integer.BYTES) {
        throw new IllegalArgumentException(
            "%d attempts and %d sizes in %d bytes"
                .formatted(attempts, sizeCount, bytes.remaining()));
      }
      byte[] name = new byte[nameBytes];
      bytes.get(name);
      long[] mapIds = new long[attempts];
      Arrays.setAll(mapIds, i -> bytes.getLong());
      int[] sizes = new int[sizeCount];
      Arrays.setAll(sizes, i -> bytes.getInt());
      boolean isCommitted = kind == Kind.COMMITTED;
      if (shuffleId < 0
          || Arrays.stream(mapIds).anyMatch(id -> id < 0)
          || Arrays.stream(sizes).anyMatch(size -> size < 0)
          || (isCommitted && (attempts != 1 || Arrays.stream(sizes).allMatch(s -> s == 0)))) {
        throw new IllegalArgumentException(
            "%s of %d attempts of shuffle %d with %d sizes"
                .formatted(kind, attempts, shuffleId, sizeCount));
      }
      return new OutputNotice(
          kind,
          new String(name, StandardCharsets.UTF_8),
          shuffleId,
          mapIds,
          firstPartition,
          endPartition,
          sizes,
          drops);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new EngineException(
          ErrorCode.TRANSPORT, "a notice of map outputs is not valid: " + e.getMessage(), e);
    }
  }

  private static Kind kind(byte number) {
    if (number < 0 || number >= Kind.values().length) {
      throw new IllegalArgumentException("kind " + number);
    }
    return Kind.values()[number];
  }

  private static void check(Kind kind, int first, int end, int sizeCount) {
    int expected = kind == Kind.COMMITTED ? end - first : 0;
    if (first < 0 || end < first || sizeCount != expected) {
      throw new IllegalArgumentException(
          "%s with partitions %d to %d and %d sizes".formatted(kind, first, end, sizeCount));
    }
  }
}
