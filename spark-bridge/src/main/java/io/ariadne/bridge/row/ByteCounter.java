package io.ariadne.bridge.row;

/** Counts the bytes of written strings, which limit the size of a batch. */
final class ByteCounter {
  private long bytes;

  void add(long count) {
    bytes += count;
  }

  long bytes() {
    return bytes;
  }

  void reset() {
    bytes = 0;
  }
}
