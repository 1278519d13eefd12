package io.ariadne.shuffle.transport;

/**
 * The rows of a range that are still wanted.
 *
 * @param index which of the wanted ranges
 * @param range the rows
 * @param bytes about how many bytes their blocks have
 * @param neededBytes bytes that a reply has to have for the first block; 0 when unknown
 * @param copyAt who has a copy of all rows; null for none
 */
record WantedPart(int index, BlockRange range, long bytes, long neededBytes, Peer copyAt) {
  /** Returns all rows of a range. */
  static WantedPart of(int index, WantedRange range) {
    long bytes = Math.min(Math.max(range.estimatedBytes(), 0), BlockReply.MAX_BYTES);
    return new WantedPart(index, range.range(), bytes, 0, range.copyAt());
  }

  /** Returns the rows behind the next ones: a copy may have its rows in other blocks. */
  WantedPart after(long rows) {
    return rows == 0 ? this : new WantedPart(index, range.after(rows), bytes, 0, null);
  }

  /** Returns the same rows for a longer reply. */
  WantedPart needing(long blockBytes) {
    return new WantedPart(index, range, bytes, blockBytes, copyAt);
  }

  /** Returns the same rows, to be asked for where their copy is. */
  WantedPart ofCopy() {
    return new WantedPart(index, range, bytes, 0, null);
  }
}
