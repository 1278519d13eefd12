package io.ariadne.io;

import java.util.concurrent.CompletableFuture;

/** Ranges of one file that are read before they are needed. Used by one thread at a time. */
public interface PrefetchedRanges extends AutoCloseable {
  /**
   * Notes that the ranges below a number are needed now.
   *
   * @param order all ranges with a smaller {@link WantedRange#order} are needed
   * @return completes, always normally, when none of them is being read or waits to be read
   */
  CompletableFuture<Void> arrived(long order);

  /**
   * Returns a reader of the file. It serves the ranges from memory, waits for those that have not
   * arrived, and reads from the file what was not queued or could not be read early for lack of
   * memory. Each byte of a range may be read once; its memory is freed then. A range that could not
   * be read fails the read that needs it. The reader stays owned by this object.
   */
  ByteRangeReader reader();

  /** Frees the bytes and cancels reads in progress; returns at once. Idempotent. */
  @Override
  void close();
}
