package io.ariadne.benchmark.transfer;

import java.util.Random;

/**
 * Blocks of bytes that codecs compress by a ratio, about: of every {@link #RUN} bytes one part is
 * noise and the rest are zeros.
 *
 * @param blockBytes bytes of each block
 * @param ratio bytes before a compression per byte after it, at least 1
 * @param contents different blocks; block {@code i} has the content {@code i} modulo their number
 */
record Payload(int blockBytes, double ratio, byte[][] contents) {
  private static final int RUN = 256;
  private static final int CONTENTS = 16;
  private static final long SEED = 20_261_129;

  /** Creates blocks, the same ones each time. */
  static Payload of(int blockBytes, double ratio) {
    Random random = new Random(SEED);
    byte[][] contents = new byte[CONTENTS][blockBytes];
    int noise = (int) (RUN / ratio);
    for (byte[] content : contents) {
      for (int i = 0; i < blockBytes; i++) {
        content[i] = i % RUN < noise ? (byte) random.nextInt() : 0;
      }
    }
    return new Payload(blockBytes, ratio, contents);
  }

  byte[] content(long block) {
    return contents[(int) (block % contents.length)];
  }
}
