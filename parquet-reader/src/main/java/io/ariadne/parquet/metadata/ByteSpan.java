package io.ariadne.parquet.metadata;

/**
 * A range of bytes of a file.
 *
 * @param offset first byte
 * @param lengthInBytes bytes, {@link #UNKNOWN_LENGTH} when the file does not say
 */
public record ByteSpan(long offset, int lengthInBytes) {
  /** The file gives the begin only. */
  public static final int UNKNOWN_LENGTH = -1;
}
