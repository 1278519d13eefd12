package io.ariadne.bridge.file;

import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.LocalFileReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Opens files with Hadoop's settings of one query. Made on the driver, used on executors by any
 * thread.
 *
 * <p>Files of Hadoop's local file system are read directly, past Hadoop's {@code .crc} files.
 */
public final class SparkFiles implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Broadcast<SerializableConfiguration> configuration;

  private SparkFiles(Broadcast<SerializableConfiguration> configuration) {
    this.configuration = configuration;
  }

  /**
   * Sends the settings to the executors, once.
   *
   * @param context the application
   * @param configuration the query's settings
   */
  public static SparkFiles of(SparkContext context, Configuration configuration) {
    Objects.requireNonNull(configuration, "configuration is null");
    scala.reflect.ClassTag<SerializableConfiguration> tag =
        scala.reflect.ClassTag$.MODULE$.apply(SerializableConfiguration.class);
    return new SparkFiles(context.broadcast(new SerializableConfiguration(configuration), tag));
  }

  /**
   * Opens a file.
   *
   * @param address its address as Spark has it: percent-encoded, with scheme
   * @return a reader to be closed by the caller
   * @throws FileNotFoundException when the file is not there
   * @throws IOException when it cannot be opened; the message names the file
   */
  public ByteRangeReader open(String address) throws IOException {
    Path path = new Path(URI.create(address));
    FileSystem files = path.getFileSystem(configuration.value().value());
    if (isLocal(files)) {
      return openLocal(java.nio.file.Path.of(path.toUri().getPath()));
    }
    return HadoopFileReader.open(files, path);
  }

  /** Says that a file is missing as Hadoop does. */
  private static ByteRangeReader openLocal(java.nio.file.Path path) throws IOException {
    try {
      return LocalFileReader.open(path);
    } catch (NoSuchFileException e) {
      FileNotFoundException missing = new FileNotFoundException("File " + path + " does not exist");
      missing.initCause(e);
      throw missing;
    }
  }

  private static boolean isLocal(FileSystem files) {
    return files.getClass() == LocalFileSystem.class
        || files.getClass() == RawLocalFileSystem.class;
  }
}
