package io.ariadne.shuffle.codec;

/**
 * Decides per destination whether and how blocks are compressed. Thread-safe.
 *
 * <p>Compression pays when the bytes it saves would take longer on the link than it takes itself;
 * both are measured while the query runs.
 */
public interface CompressionPolicy {
  /**
   * Chooses for the next block.
   *
   * @param destination executor the block goes to, or empty for the local disk
   * @param lengthInBytes bytes of the block before compression
   * @return the codec
   */
  Codec choose(String destination, long lengthInBytes);

  /**
   * Tells what a block's compression cost and brought.
   *
   * @param codec the codec used
   * @param lengthInBytes bytes before
   * @param compressedBytes bytes after
   * @param nanos time of one thread
   */
  void compressed(Codec codec, long lengthInBytes, long compressedBytes, long nanos);

  /**
   * Tells how long bytes took to a destination.
   *
   * @param destination executor they went to, or empty for the local disk
   * @param bytes bytes sent
   * @param nanos from the first byte to the last
   */
  void sent(String destination, long bytes, long nanos);
}
