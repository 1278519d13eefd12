package io.ariadne.spill.disk;

/**
 * A piece of a block that is compressed, encrypted and checked on its own.
 *
 * @param rawBytes bytes before compression, at most {@link #MAX_RAW_BYTES}
 * @param storedBytes bytes in the file, never more than {@code rawBytes}
 * @param checksum CRC-32C of the bytes in the file (RFC 3720, appendix B.4)
 * @param compressed whether the bytes are compressed, before they are encrypted
 * @param nonce what the frame was encrypted with, used for no other; meaningless without cipher
 */
record Frame(int rawBytes, int storedBytes, int checksum, boolean compressed, long nonce) {
  /** Small enough for a processor's cache, large enough for a compressor's window. */
  static final int MAX_RAW_BYTES = 256 << 10;
}
