package io.ariadne.it.scan;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files under a scheme of their own, as if they were somewhere else. */
public final class SchemedFileSystem extends RawLocalFileSystem {
  /** The scheme. */
  public static final String SCHEME = "elsewhere";

  private static final AtomicLong OPENED = new AtomicLong();

  /** Returns how many files have been opened in this process. */
  static long openedCount() {
    return OPENED.get();
  }

  @Override
  public URI getUri() {
    return URI.create(SCHEME + ":///");
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(getUri(), conf);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    OPENED.incrementAndGet();
    return super.open(path, bufferSize);
  }
}
