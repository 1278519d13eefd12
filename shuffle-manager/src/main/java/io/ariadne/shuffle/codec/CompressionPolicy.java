package io.ariadne.shuffle.codec;

/** Decides for each block which codec compresses it before it is sent. Thread-safe. */
public interface CompressionPolicy {
  /**
   * Chooses.
   *
   * @param content what bytes have in common that become shorter by the same ratio, such as the
   *     number of their shuffle
   * @param linkBytesPerSecond how fast bytes lately reached the receiver; 0 when it is not known
   * @param lengthInBytes number of bytes
   */
  Codec choose(Object content, double linkBytesPerSecond, long lengthInBytes);

  /**
   * Notes what a compression took and brought.
   *
   * @param content as for {@link #choose}
   * @param codec the codec, not {@link Codec#NONE}
   * @param lengthInBytes number of bytes before
   * @param compressedBytes number of bytes after; the same number when they did not become shorter
   * @param nanos time of one thread
   */
  void compressed(
      Object content, Codec codec, long lengthInBytes, long compressedBytes, long nanos);

  /** Returns a policy that chooses one codec. */
  static CompressionPolicy always(Codec codec) {
    return new CompressionPolicy() {
      @Override
      public Codec choose(Object content, double linkBytesPerSecond, long lengthInBytes) {
        return lengthInBytes > Codec.MAX_BYTES ? Codec.NONE : codec;
      }

      @Override
      public void compressed(
          Object content, Codec used, long lengthInBytes, long compressedBytes, long nanos) {}
    };
  }
}
