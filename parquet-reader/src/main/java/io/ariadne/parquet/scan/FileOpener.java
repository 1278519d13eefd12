package io.ariadne.parquet.scan;

import io.ariadne.io.ByteRangeReader;
import java.io.IOException;

/** Opens the files of a scan. Thread-safe. */
@FunctionalInterface
public interface FileOpener {
  /** Bytes that hold the footer and the page indexes of most files. */
  long DEFAULT_TAIL_BYTES = 256 << 10;

  /**
   * Opens a slice's file.
   *
   * @param slice names the file
   * @return a reader to be closed by the caller
   * @throws java.io.FileNotFoundException when the file does not exist
   * @throws IOException when it cannot be opened; the message names the file
   */
  ByteRangeReader open(FileSlice slice) throws IOException;

  /**
   * Returns whether the storage of a slice's file is so slow that its files are opened ahead of
   * their use, such as a remote one. Does no I/O.
   */
  default boolean isSlow(FileSlice slice) {
    return false;
  }

  /**
   * Returns how many bytes of the end of a file are read at once with its footer, where files are
   * opened ahead. A file of at most twice as many bytes is read as a whole.
   */
  default long tailBytes(FileSlice slice) {
    return DEFAULT_TAIL_BYTES;
  }
}
