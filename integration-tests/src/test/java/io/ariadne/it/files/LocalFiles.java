package io.ariadne.it.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFs;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.FsConstants;

/**
 * The local files of a Hadoop {@code FileContext}, over {@link RawLocalFiles}; {@link #install}
 * puts these below this process's {@code FileSystem}, too.
 */
public final class LocalFiles extends ChecksumFs {
  /** Names this class as the setting {@code fs.AbstractFileSystem.file.impl}. */
  private static final String SETTINGS = "io/ariadne/it/files/hadoop-settings.xml";

  /** Created by Hadoop. */
  public LocalFiles(URI uri, Configuration configuration) throws IOException, URISyntaxException {
    super(new Raw(configuration));
  }

  /**
   * Makes the file systems that this process has for local files: of its FileSystem Hadoop keeps
   * the first, whatever the settings of a later session name.
   *
   * @param fileSystem class name of a {@code LocalFileSystem}
   */
  public static void install(String fileSystem) {
    Configuration.addDefaultResource(SETTINGS);
    Configuration configuration = new Configuration();
    configuration.set("fs.file.impl", fileSystem);
    RawLocalFiles raw = new RawLocalFiles();
    try {
      raw.initialize(FsConstants.LOCAL_FS_URI, configuration);
      Field below = FilterFileSystem.class.getDeclaredField("fs");
      below.setAccessible(true);
      below.set(FileSystem.get(FsConstants.LOCAL_FS_URI, configuration), raw);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Raw extends DelegateToFileSystem {
    private static final int NO_PORT = -1;

    private Raw(Configuration configuration) throws IOException, URISyntaxException {
      super(
          FsConstants.LOCAL_FS_URI,
          new RawLocalFiles(),
          configuration,
          FsConstants.LOCAL_FS_URI.getScheme(),
          false);
    }

    @Override
    public int getUriDefaultPort() {
      return NO_PORT;
    }

    @Override
    public boolean isValidName(String path) {
      return true;
    }
  }
}
