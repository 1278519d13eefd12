package io.ariadne.parquet.scan;

import io.ariadne.io.ByteRangeReader;
import java.io.IOException;

/**
 * A file that several splits read. It is opened on first use and closed when the last reference is
 * released. Created with one reference. Thread-safe.
 */
final class ScanFile {
  private final ScanSite site;
  private final FileOpener opener;
  private ByteRangeReader reader;
  private int holders = 1;

  ScanFile(ScanSite site, FileOpener opener) {
    this.site = site;
    this.opener = opener;
  }

  ScanSite site() {
    return site;
  }

  /** Returns the open file, valid while the caller holds a reference. */
  synchronized ByteRangeReader reader() throws IOException {
    if (holders <= 0) {
      throw new IllegalStateException(site.file() + " is closed");
    }
    if (reader == null) {
      reader = opener.open(site.slice());
    }
    return reader;
  }

  synchronized ScanFile retain() {
    if (holders <= 0) {
      throw new IllegalStateException(site.file() + " is closed");
    }
    holders++;
    return this;
  }

  /** Releases one reference; the last release closes the file. */
  synchronized void release() {
    holders--;
    if (holders == 0 && reader != null) {
      ByteRangeReader open = reader;
      reader = null;
      try {
        open.close();
      } catch (IOException e) {
        throw ScanErrors.failed(site, e);
      }
    } else if (holders < 0) {
      throw new IllegalStateException(site.file() + " released more often than retained");
    }
  }
}
