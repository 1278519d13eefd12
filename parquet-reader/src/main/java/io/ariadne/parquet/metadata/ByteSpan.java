package io.ariadne.parquet.metadata;

/**
 * A range of bytes of a file.
 *
 * @param offset first byte
 * @param lengthInBytes number of bytes, {@link #UNKNOWN_LENGTH} when the file does not state it
 */
public record ByteSpan(long offset, int lengthInBytes) {
  /** The length of a range of which the file states only the start. */
  public static final int UNKNOWN_LENGTH = -1;
}
