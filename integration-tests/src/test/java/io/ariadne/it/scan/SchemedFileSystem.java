package io.ariadne.it.scan;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * Local files under a scheme of their own, as an object store has them: no modification times,
 * streams that give few bytes at once, and files that are listed but not handed out.
 */
public final class SchemedFileSystem extends RawLocalFileSystem {
  /** The scheme. */
  public static final String SCHEME = "elsewhere";

  /** Files with this in their name are not handed out. */
  static final String REFUSED = "refused";

  private static final int MOST_BYTES = 1000;
  private static final AtomicLong OPENED = new AtomicLong();
  private static final AtomicLong POSITIONED = new AtomicLong();

  /** Returns how many files have been opened in this process. */
  static long openedCount() {
    return OPENED.get();
  }

  /** Returns how many reads at a position there have been in this process. */
  static long positionedReadCount() {
    return POSITIONED.get();
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
  public FileStatus getFileStatus(Path path) throws IOException {
    FileStatus status = super.getFileStatus(path);
    return status.isDirectory()
        ? status
        : new FileStatus(status.getLen(), false, 1, status.getBlockSize(), 0, status.getPath());
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (path.getName().contains(REFUSED)) {
      throw new AccessControlException("no access to " + path.getName());
    }
    OPENED.incrementAndGet();
    return new FSDataInputStream(new ShortStream(super.open(path, bufferSize)));
  }

  /** Gives at most {@value #MOST_BYTES} bytes at once. */
  private static final class ShortStream extends FSInputStream {
    private final FSDataInputStream stream;

    ShortStream(FSDataInputStream stream) {
      this.stream = stream;
    }

    @Override
    public int read() throws IOException {
      return stream.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return stream.read(target, offset, Math.min(length, MOST_BYTES));
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) throws IOException {
      POSITIONED.incrementAndGet();
      return stream.read(position, target, offset, Math.min(length, MOST_BYTES));
    }

    @Override
    public void seek(long position) throws IOException {
      stream.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return stream.getPos();
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
