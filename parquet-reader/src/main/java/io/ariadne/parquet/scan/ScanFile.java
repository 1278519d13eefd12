package io.ariadne.parquet.scan;

import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.parquet.metadata.FooterCache.FileKey;
import java.io.IOException;

/**
 * A file that several splits read. It is opened on first use and closed when the last reference is
 * released. Created with one reference. Thread-safe.
 */
final class ScanFile {
  private final ScanSite site;
  private final FileOpener opener;

  /** Memory for metadata that is read with few requests; null when requests are cheap. */
  private final BufferAllocator metadata;

  private ByteRangeReader reader;

  /** The key of the file's footer in the cache, null when it is not cached. */
  private volatile FileKey footerKey;

  private int holders = 1;

  /**
   * Describes a file without opening it.
   *
   * @param site names the file
   * @param opener opens it
   * @param metadata host memory for metadata that is read with few requests; null when requests are
   *     cheap
   */
  ScanFile(ScanSite site, FileOpener opener, BufferAllocator metadata) {
    this.site = site;
    this.opener = opener;
    this.metadata = metadata;
  }

  FileKey footerKey() {
    return footerKey;
  }

  void setFooterKey(FileKey key) {
    footerKey = key;
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
      ByteRangeReader opened = opener.open(site.slice());
      reader =
          metadata == null
              ? opened
              : new MetadataReader(opened, metadata, opener.tailBytes(site.slice()));
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
