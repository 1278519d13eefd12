package io.ariadne.kernel.parquet;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/**
 * Strings and the streams that hold them, written in plain Java.
 *
 * @param values the strings
 * @param encoder of the lengths
 */
public record DeltaStrings(byte[][] values, DeltaEncoder encoder) {
  /** Returns strings of up to a length, many of which begin like the one before. */
  public static DeltaStrings random(Random random, int count, int longest) {
    byte[][] values = new byte[count][];
    byte[] previous = new byte[0];
    for (int i = 0; i < count; i++) {
      int length = random.nextInt(longest + 1);
      int shared = random.nextInt(Math.min(length, previous.length) + 1);
      byte[] value = new byte[length];
      random.nextBytes(value);
      System.arraycopy(previous, 0, value, 0, shared);
      values[i] = value;
      previous = value;
    }
    return new DeltaStrings(values, DeltaEncoder.random(random));
  }

  /** Returns the lengths' stream and the bytes behind it. */
  public byte[] encodeLengths() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(encoder.encode(Arrays.stream(values).mapToLong(v -> v.length).toArray()));
    for (byte[] value : values) {
      out.writeBytes(value);
    }
    return out.toByteArray();
  }

  /** Returns prefix lengths, suffix lengths and suffixes. */
  public byte[] encodePrefixes() {
    long[] prefixes = new long[values.length];
    byte[][] suffixes = new byte[values.length][];
    byte[] previous = new byte[0];
    for (int i = 0; i < values.length; i++) {
      int differs = Arrays.mismatch(previous, values[i]);
      int shared = differs < 0 ? values[i].length : differs;
      prefixes[i] = shared;
      suffixes[i] = Arrays.copyOfRange(values[i], shared, values[i].length);
      previous = values[i];
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(encoder.encode(prefixes));
    out.writeBytes(new DeltaStrings(suffixes, encoder).encodeLengths());
    return out.toByteArray();
  }

  int longest() {
    return Arrays.stream(values).mapToInt(v -> v.length).max().orElse(0);
  }
}
