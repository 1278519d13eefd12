package io.ariadne.kernel.parquet;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/**
 * A hybrid stream of run-length and bit-packed runs, and the values it encodes.
 *
 * @param bytes the stream, without length prefix
 * @param values what it holds; the last run's padding not counted
 */
public record HybridStream(byte[] bytes, int[] values) {
  /** What the runs of a random stream are like. */
  public enum Shape {
    /** Runs of both kinds, some of thousands of values. */
    MIXED,
    /** Runs of both kinds, all of them short. */
    SHORT,
    /** Repeated values only. */
    REPEATED,
    /** Bit-packed values only. */
    PACKED
  }

  private static final int GROUP = 8;
  private static final int LONG_RUN = 3000;

  /**
   * Makes a stream of random runs.
   *
   * @param random source of lengths and values
   * @param shape what the runs are like
   * @param width bits per value
   * @param bound the values are below it
   * @param count values
   */
  public static HybridStream random(Random random, Shape shape, int width, long bound, int count) {
    Writer writer = new Writer(width);
    int[] values = new int[count];
    for (int at = 0; at < count; ) {
      boolean isPacked = shape == Shape.PACKED || (shape != Shape.REPEATED && random.nextBoolean());
      int length = lengthOf(random, shape, isPacked);
      int end = Math.min(count, at + length);
      int repeated = value(random, bound);
      for (int i = at; i < end; i++) {
        values[i] = isPacked ? value(random, bound) : repeated;
      }
      if (isPacked) {
        writer.pack(Arrays.copyOfRange(values, at, end));
      } else {
        writer.repeat(repeated, length);
      }
      at = end;
    }
    return new HybridStream(writer.bytes(), values);
  }

  private static int lengthOf(Random random, Shape shape, boolean isPacked) {
    boolean isLong = shape != Shape.SHORT && random.nextInt(4) == 0;
    int length = 1 + random.nextInt(isLong ? LONG_RUN : 4 * GROUP);
    return isPacked ? (length + GROUP - 1) / GROUP * GROUP : length;
  }

  private static int value(Random random, long bound) {
    return (int) Math.floorMod(random.nextLong(), bound);
  }

  /** Appends runs. */
  static final class Writer {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final int width;

    Writer(int width) {
      this.width = width;
    }

    /** Appends a run of one value. */
    Writer repeat(int value, int length) {
      header((long) length << 1);
      for (int i = 0; i < (width + Byte.SIZE - 1) / Byte.SIZE; i++) {
        out.write(value >>> (i * Byte.SIZE));
      }
      return this;
    }

    /** Appends a bit-packed run, padded with zeros to whole groups. */
    Writer pack(int... values) {
      int groups = (values.length + GROUP - 1) / GROUP;
      header((long) groups << 1 | 1);
      byte[] packed = new byte[groups * width];
      for (int i = 0; i < values.length; i++) {
        for (int bit = 0; bit < width; bit++) {
          int at = i * width + bit;
          packed[at / Byte.SIZE] |= (byte) ((values[i] >>> bit & 1) << (at % Byte.SIZE));
        }
      }
      out.writeBytes(packed);
      return this;
    }

    /** Appends a variable-length number. */
    Writer header(long value) {
      long rest = value;
      for (; rest >= 0x80; rest >>>= 7) {
        out.write((int) (rest | 0x80));
      }
      out.write((int) rest);
      return this;
    }

    byte[] bytes() {
      return out.toByteArray();
    }
  }
}
