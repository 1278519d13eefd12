package io.ariadne.shuffle.transport;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/**
 * Damages the bytes of messages by chance: bits, lengths, the end, parts of another message. Half
 * of the places are near the begin, where lengths and numbers are. Used by one thread.
 */
public final class FrameMutator {
  private static final int HEAD_BYTES = 64;
  private static final int MAX_CHANGES = 3;
  private static final int MAX_INSERTED = 200;

  private static final long[] EXTREMES = {
    0,
    1,
    -1,
    7,
    8,
    9,
    Byte.MIN_VALUE,
    Short.MAX_VALUE,
    Transport.MAX_REQUEST_BYTES,
    Transport.MAX_REQUEST_BYTES + HEAD_BYTES,
    Transport.MAX_REQUEST_BYTES + HEAD_BYTES + 1,
    1L << 30,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  private final Random random;

  /**
   * Creates a mutator.
   *
   * @param random decides everything
   */
  public FrameMutator(Random random) {
    this.random = random;
  }

  /**
   * Returns damaged bytes.
   *
   * @param bytes a message, which stays as it is
   * @param other another message, of which a part may be taken
   */
  public byte[] mutate(byte[] bytes, byte[] other) {
    byte[] result = bytes.clone();
    for (int i = random.nextInt(MAX_CHANGES); i >= 0; i--) {
      result = change(result, other);
    }
    return result;
  }

  private byte[] change(byte[] bytes, byte[] other) {
    int at = place(bytes.length);
    switch (random.nextInt(9)) {
      case 0:
        return put(bytes, at, (byte) (byteAt(bytes, at) ^ 1 << random.nextInt(Byte.SIZE)));
      case 1:
        return put(bytes, at, (byte) random.nextInt());
      case 2:
        return put(bytes, at, (byte) (byteAt(bytes, at) + random.nextInt(5) - 2));
      case 3:
        return Arrays.copyOf(bytes, at);
      case 4:
        return joined(bytes, at, other, place(other.length));
      case 5:
        return joined(bytes, at, bytes, Math.min(bytes.length, at + random.nextInt(20)));
      case 6:
        return joined(bytes, at, bytes, Math.max(0, at - random.nextInt(20)));
      case 7:
        return inserted(bytes, at);
      default:
        return extreme(bytes, at);
    }
  }

  /** Returns a position from 0 to a length. */
  private int place(int length) {
    return random.nextInt((random.nextBoolean() ? Math.min(length, HEAD_BYTES) : length) + 1);
  }

  private static byte byteAt(byte[] bytes, int at) {
    return at < bytes.length ? bytes[at] : 0;
  }

  private static byte[] put(byte[] bytes, int at, byte value) {
    if (at < bytes.length) {
      bytes[at] = value;
    }
    return bytes;
  }

  /** Returns the begin of some bytes up to a place, and the end of others from a place on. */
  private static byte[] joined(byte[] first, int end, byte[] second, int begin) {
    byte[] joined = Arrays.copyOf(first, end + second.length - begin);
    System.arraycopy(second, begin, joined, end, second.length - begin);
    return joined;
  }

  private byte[] inserted(byte[] bytes, int at) {
    byte[] noise = new byte[random.nextInt(MAX_INSERTED)];
    random.nextBytes(noise);
    byte[] end = Arrays.copyOfRange(bytes, at, bytes.length);
    return joined(joined(bytes, at, noise, 0), at + noise.length, end, 0);
  }

  /** Overwrites a number of 1 to 8 bytes, big endian. */
  private byte[] extreme(byte[] bytes, int at) {
    int width = 1 << random.nextInt(4);
    long value = EXTREMES[random.nextInt(EXTREMES.length)];
    byte[] number = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    int count = Math.min(width, bytes.length - at);
    System.arraycopy(number, Long.BYTES - width, bytes, at, count);
    return bytes;
  }
}
