package io.ariadne.shuffle.transport;

import io.ariadne.shuffle.codec.Codec;
import io.ariadne.shuffle.codec.CompressionPolicy;
import java.util.Random;

/** Chooses any codec for any block. */
final class RandomCompression implements CompressionPolicy {
  private final Random random;

  RandomCompression(long seed) {
    random = new Random(seed);
  }

  @Override
  public Codec choose(Object content, double linkBytesPerSecond, long lengthInBytes) {
    return Codec.of((byte) random.nextInt(Codec.values().length));
  }

  @Override
  public void compressed(
      Object content, Codec codec, long lengthInBytes, long compressedBytes, long nanos) {}
}
