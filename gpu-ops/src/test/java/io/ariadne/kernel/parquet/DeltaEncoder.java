package io.ariadne.kernel.parquet;

import java.io.ByteArrayOutputStream;
import java.util.Random;

/**
 * Writes DELTA_BINARY_PACKED streams in plain Java.
 *
 * @param blockValues values of a block
 * @param miniblocks of a block
 */
public record DeltaEncoder(int blockValues, int miniblocks) {
  /** What parquet-mr writes. */
  public static final DeltaEncoder USUAL = new DeltaEncoder(128, 4);

  /** Returns a shape drawn at random, any that readers take. */
  static DeltaEncoder random(Random random) {
    int miniblocks = 1 + random.nextInt(6);
    int miniValues = 8 * (1 + random.nextInt(20));
    return random.nextInt(3) == 0 ? USUAL : new DeltaEncoder(miniblocks * miniValues, miniblocks);
  }

  /** Returns values whose deltas take about a width, from runs of different widths. */
  public static long[] values(Random random, int count, int maxWidth) {
    long[] values = new long[count];
    long value = random.nextLong() >> random.nextInt(64);
    int width = maxWidth;
    for (int i = 0; i < count; i++) {
      if (i % 100 == 0) {
        width = random.nextInt(4) == 0 ? random.nextInt(maxWidth + 1) : maxWidth;
      }
      values[i] = value;
      value += width == 0 ? 7 : random.nextLong() >>> (64 - width);
    }
    return values;
  }

  /** Returns the stream of values; the last miniblock is padded, later ones are left out. */
  public byte[] encode(long[] values) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    number(out, blockValues);
    number(out, miniblocks);
    number(out, values.length);
    zigzag(out, values.length == 0 ? 0 : values[0]);
    for (int first = 1; first < values.length; first += blockValues) {
      block(out, values, first);
    }
    return out.toByteArray();
  }

  private void block(ByteArrayOutputStream out, long[] values, int first) {
    int end = Math.min(first + blockValues, values.length);
    long smallest = Long.MAX_VALUE;
    for (int i = first; i < end; i++) {
      smallest = Math.min(smallest, values[i] - values[i - 1]);
    }
    zigzag(out, smallest);
    int miniValues = blockValues / miniblocks;
    int[] widths = new int[miniblocks];
    for (int mini = 0; mini < miniblocks; mini++) {
      for (int i = first + mini * miniValues;
          i < Math.min(end, first + (mini + 1) * miniValues);
          i++) {
        long rest = values[i] - values[i - 1] - smallest;
        widths[mini] = Math.max(widths[mini], Long.SIZE - Long.numberOfLeadingZeros(rest));
      }
      boolean isUsed = first + mini * miniValues < end;
      out.write(isUsed ? widths[mini] : 250); // readers do not look at widths without values
    }
    for (int mini = 0; mini < miniblocks && first + mini * miniValues < end; mini++) {
      byte[] packed = new byte[miniValues / 8 * widths[mini]];
      for (int k = 0; k < miniValues; k++) {
        int i = first + mini * miniValues + k;
        long rest = i < end ? values[i] - values[i - 1] - smallest : 0;
        for (int bit = 0; bit < widths[mini]; bit++) {
          int at = k * widths[mini] + bit;
          packed[at / 8] |= (byte) ((rest >>> bit & 1) << at % 8);
        }
      }
      out.writeBytes(packed);
    }
  }

  static void zigzag(ByteArrayOutputStream out, long value) {
    number(out, value << 1 ^ value >> 63);
  }

  /** Writes a variable-length number. */
  static void number(ByteArrayOutputStream out, long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.write(((int) rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
