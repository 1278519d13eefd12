package io.ariadne.bridge.row;

/** Adds up the bytes of strings written, by which a batch of long strings is cut early. */
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
