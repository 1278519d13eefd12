package io.ariadne.parquet.scan;

import io.ariadne.io.ByteRangeReader;
import java.io.IOException;

/**
 * A file that several splits read: opened when one first needs it, closed by the last holder.
 * Created with one holder. Thread-safe.
 */
final class ScanFile {
  private final FileSlice slice;
  private final FileOpener opener;
  private ByteRangeReader reader;
  private int holders = 1;

  ScanFile(FileSlice slice, FileOpener opener) {
    this.slice = slice;
    this.opener = opener;
  }

  FileSlice slice() {
    return slice;
  }

  /** Returns the open file, valid while the caller holds it. */
  synchronized ByteRangeReader reader() throws IOException {
    if (holders <= 0) {
      throw new IllegalStateException(slice.path() + " is closed");
    }
    if (reader == null) {
      reader = opener.open(slice);
    }
    return reader;
  }

  synchronized ScanFile retain() {
    if (holders <= 0) {
      throw new IllegalStateException(slice.path() + " is closed");
    }
    holders++;
    return this;
  }

  /** Lets go; the last holder closes the file. */
  synchronized void release() {
    holders--;
    if (holders == 0 && reader != null) {
      ByteRangeReader open = reader;
      reader = null;
      try {
        open.close();
      } catch (IOException e) {
        throw ScanFailures.failed(slice.path(), e);
      }
    } else if (holders < 0) {
      throw new IllegalStateException(slice.path() + " released more often than retained");
    }
  }
}
