package io.ariadne.kernel.parquet;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/** A Snappy block made element by element, and the bytes it encodes. */
final class SnappyBlock {
  private static final int LITERAL = 0;
  private static final int SHORT_COPY = 1;
  private static final int MEDIUM_COPY = 2;
  private static final int LONG_COPY = 3;
  private static final int LONGEST_COPY = 64;
  private static final int MAX_SHORT_DISTANCE = 2047;
  private static final int MAX_MEDIUM_DISTANCE = 65_535;

  /** What blocks are made of. */
  enum Style {
    /** Literals of up to three bytes and short copies in turn, as of numbers. */
    NUMBERS,
    /** Mostly short copies from anywhere, as of text. */
    TEXT,
    /** Copies longer than their distance. */
    REPEATS,
    /** Literals of any length, their lengths also in more bytes than they need. */
    LITERALS,
    /** Elements of every kind, length and distance. */
    ANY
  }

  private final ByteArrayOutputStream elements = new ByteArrayOutputStream();
  private final byte[] result;
  private final Random random;
  private int made;

  private SnappyBlock(int bytes, Random random) {
    this.result = new byte[bytes];
    this.random = random;
  }

  /** Makes a block of random elements that encodes so many bytes. */
  static SnappyBlock of(Style style, int bytes, Random random) {
    SnappyBlock block = new SnappyBlock(bytes, random);
    while (block.made < bytes) {
      switch (style) {
        case NUMBERS -> {
          block.literal(1 + random.nextInt(3), 0);
          block.copy(4 + random.nextInt(5), 1 + random.nextInt(4000));
        }
        case TEXT -> {
          if (random.nextInt(7) == 0) {
            block.literal(1 + random.nextInt(12), 0);
          }
          block.copy(4 + random.nextInt(20), 1 + random.nextInt(60_000));
        }
        case REPEATS -> {
          block.literal(1 + random.nextInt(20), 0);
          block.copy(1 + random.nextInt(LONGEST_COPY), 1 + random.nextInt(40));
        }
        case LITERALS ->
            block.literal(
                1 + random.nextInt(1 << random.nextInt(13)), random.nextInt(2) * random.nextInt(5));
        default -> block.any();
      }
    }
    return block;
  }

  private void any() {
    if (random.nextBoolean()) {
      literal(1 + random.nextInt(1 << random.nextInt(9)), random.nextInt(5));
    } else {
      copy(1 + random.nextInt(LONGEST_COPY), 1 + random.nextInt(1 << random.nextInt(18)));
    }
  }

  /** Returns the bytes that the block encodes. */
  byte[] result() {
    return result;
  }

  /** Returns the block, the length of its result in front. */
  byte[] stream() {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    int length = result.length;
    while (length > 0x7f) {
      stream.write((length & 0x7f) | 0x80);
      length >>>= 7;
    }
    stream.write(length);
    stream.writeBytes(elements.toByteArray());
    return stream.toByteArray();
  }

  /** Adds random bytes; their length goes behind the tag if it has to, or is asked to. */
  private void literal(int wanted, int lengthBytes) {
    int length = Math.min(wanted, result.length - made);
    if (length == 0) {
      return;
    }
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    int needed = length <= 60 ? 0 : (35 - Integer.numberOfLeadingZeros(length - 1) + 4) / 8;
    int more = Math.max(needed, lengthBytes);
    elements.write((more == 0 ? length - 1 : 59 + more) << 2 | LITERAL);
    for (int i = 0; i < more; i++) {
      elements.write((length - 1) >>> (Byte.SIZE * i));
    }
    elements.writeBytes(bytes);
    System.arraycopy(bytes, 0, result, made, length);
    made += length;
  }

  /** Adds a copy in a random one of the forms that can hold it. */
  private void copy(int wanted, int wantedDistance) {
    int length = Math.min(wanted, result.length - made);
    if (length == 0 || made == 0) {
      return;
    }
    int distance = 1 + (wantedDistance - 1) % made;
    boolean isShort = length >= 4 && length <= 11 && distance <= MAX_SHORT_DISTANCE;
    int form = isShort ? SHORT_COPY : distance <= MAX_MEDIUM_DISTANCE ? MEDIUM_COPY : LONG_COPY;
    if (random.nextInt(20) == 0) {
      form = Math.min(form + random.nextInt(3), LONG_COPY);
    }
    if (form == SHORT_COPY) {
      elements.write((distance >>> Byte.SIZE) << 5 | (length - 4) << 2 | SHORT_COPY);
      elements.write(distance);
    } else {
      elements.write((length - 1) << 2 | form);
      for (int i = 0; i < (form == MEDIUM_COPY ? 2 : 4); i++) {
        elements.write(distance >>> (Byte.SIZE * i));
      }
    }
    for (int i = 0; i < length; i++) {
      result[made + i] = result[made - distance + i];
    }
    made += length;
  }

  /** Returns a block with random damage: bytes changed, left out or cut off. */
  static byte[] damaged(byte[] stream, Random random) {
    byte[] damaged = stream.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
    }
    return random.nextInt(3) == 0
        ? Arrays.copyOf(damaged, random.nextInt(damaged.length + 1))
        : damaged;
  }
}
