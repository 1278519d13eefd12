package io.ariadne.parquet.testing;

import java.util.Arrays;

/**
 * Makes damaged copies of bytes: every bit flipped, every byte set to awkward values, truncations.
 */
public final class ByteDamage {
  private static final int[] AWKWARD = {0x00, 0x7F, 0x80, 0xFF, 0x19, 0xF9, 0x1C};

  private ByteDamage() {}

  /** Receives damaged copies. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives a damaged copy.
     *
     * @param damaged the bytes; valid until this returns
     * @param what how they were damaged, for messages
     */
    void visit(byte[] damaged, String what) throws Exception;
  }

  /**
   * Visits all copies with one damaged byte between two positions.
   *
   * @param bytes the intact bytes
   * @param from first position
   * @param to end position, exclusive
   * @param visitor receives the copies
   */
  public static void everyByte(byte[] bytes, int from, int to, Visitor visitor) throws Exception {
    byte[] copy = bytes.clone();
    for (int i = from; i < to; i++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        copy[i] = (byte) (bytes[i] ^ 1 << bit);
        visitor.visit(copy, "bit " + bit + " of byte " + i);
      }
      for (int value : AWKWARD) {
        copy[i] = (byte) value;
        visitor.visit(copy, "byte " + i + " set to " + value);
      }
      copy[i] = bytes[i];
    }
  }

  /**
   * Visits all truncated copies.
   *
   * @param bytes the intact bytes
   * @param visitor receives the copies
   */
  public static void everyCut(byte[] bytes, Visitor visitor) throws Exception {
    for (int i = 0; i < bytes.length; i++) {
      visitor.visit(Arrays.copyOf(bytes, i), "cut to " + i);
    }
  }
}
