package io.ariadne.plugin;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files under a scheme of their own, as a remote storage has them, an hour older. */
public final class AgedFileSystem extends RawLocalFileSystem {
  /** The scheme. */
  public static final String SCHEME = "aged";

  /** Creates the file system; Hadoop calls this. */
  public AgedFileSystem() {}

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
    long time = status.getModificationTime() - TimeUnit.HOURS.toMillis(1);
    return status.isDirectory()
        ? status
        : new FileStatus(status.getLen(), false, 1, status.getBlockSize(), time, status.getPath());
  }
}
