package io.ariadne.bridge.file;

import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaders;
import io.ariadne.io.OpenRequest;
import io.ariadne.io.ReadCounters;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * Opens files with Hadoop's configuration of one query. Created on Spark's driver, used on
 * executors by any thread.
 *
 * <p>Executors in other processes get the configuration by a broadcast. In local mode, where
 * serializing a thousand settings takes longer than a small query, tasks find the driver's own
 * {@code Configuration} by a number. It stays registered as long as anything in Spark's driver can
 * start a task that needs it.
 *
 * <p>Files of Hadoop's local file system are read directly, bypassing Hadoop's {@code .crc} files.
 */
public final class SparkFiles implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final ConcurrentMap<Long, WeakReference<Configuration>> IN_THIS_PROCESS =
      new ConcurrentHashMap<>();
  private static final AtomicLong NEXT_NUMBER = new AtomicLong();

  private final Broadcast<SerializableConfiguration> broadcast;
  private final long number;
  private transient volatile Configuration configuration;

  private SparkFiles(
      Broadcast<SerializableConfiguration> broadcast, long number, Configuration configuration) {
    this.broadcast = broadcast;
    this.number = number;
    this.configuration = configuration;
  }

  /**
   * Makes the configuration available to tasks, once.
   *
   * @param context the application
   * @param configuration the query's configuration, must not be changed any more
   */
  public static SparkFiles of(SparkContext context, Configuration configuration) {
    Objects.requireNonNull(configuration, "configuration is null");
    if (context.isLocal()) {
      IN_THIS_PROCESS.values().removeIf(kept -> kept.get() == null);
      long number = NEXT_NUMBER.incrementAndGet();
      IN_THIS_PROCESS.put(number, new WeakReference<>(configuration));
      return new SparkFiles(null, number, configuration);
    }
    scala.reflect.ClassTag<SerializableConfiguration> tag =
        scala.reflect.ClassTag$.MODULE$.apply(SerializableConfiguration.class);
    return new SparkFiles(
        context.broadcast(new SerializableConfiguration(configuration), tag), 0, configuration);
  }

  /** Returns the configuration, which must not be changed. */
  Configuration configuration() {
    Configuration known = configuration;
    if (known == null) {
      known = broadcast == null ? inThisProcess(number) : broadcast.value().value();
      configuration = known;
    }
    return known;
  }

  private static Configuration inThisProcess(long number) {
    WeakReference<Configuration> kept = IN_THIS_PROCESS.get(number);
    Configuration known = kept == null ? null : kept.get();
    if (known == null) {
      throw new IllegalStateException(
          "the configuration of this task's scan is no longer registered");
    }
    return known;
  }

  /**
   * Opens a file.
   *
   * @param address its address as Spark has it: percent-encoded, with scheme
   * @return a reader to be closed by the caller
   * @throws FileNotFoundException when the file does not exist
   * @throws IOException when it cannot be opened; the message names the file
   */
  public ByteRangeReader open(String address) throws IOException {
    return open(address, OpenRequest.UNKNOWN, OpenRequest.UNKNOWN, ReadCounters.create());
  }

  /**
   * Opens a file that Spark has listed; otherwise as {@link #open(String)}.
   *
   * @param address its address as Spark has it: percent-encoded, with scheme
   * @param length its length by the listing, or {@link OpenRequest#UNKNOWN}
   * @param modificationTimeMillis its modification time by the listing, or {@link
   *     OpenRequest#UNKNOWN}
   * @param counters counts the requests
   */
  public ByteRangeReader open(
      String address, long length, long modificationTimeMillis, ReadCounters counters)
      throws IOException {
    Path path = new Path(URI.create(address));
    FileSystem files = path.getFileSystem(configuration());
    URI file = path.makeQualified(files.getUri(), files.getWorkingDirectory()).toUri();
    if (isLocal(files)) {
      return openLocal(file, counters);
    }
    return ByteRangeReaders.installed()
        .open(new OpenRequest(file, length, modificationTimeMillis, null, files, counters));
  }

  /**
   * Returns whether a file is of a storage that is not a local file system.
   *
   * @param address its address as Spark has it
   * @throws UncheckedIOException when its file system cannot be opened
   */
  public boolean isRemote(String address) {
    try {
      return !isLocal(new Path(URI.create(address)).getFileSystem(configuration()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Opens a local file, and fails as Hadoop does, which reads through {@code
   * java.io.FileInputStream}: a path without a file, a folder and a file without read permission
   * all count as missing.
   */
  private static ByteRangeReader openLocal(URI file, ReadCounters counters) throws IOException {
    java.nio.file.Path path = java.nio.file.Path.of(file.getPath());
    if (Files.isDirectory(path)) {
      throw new FileNotFoundException(path + " (Is a directory)");
    }
    try {
      return ByteRangeReaders.installed()
          .open(
              new OpenRequest(
                  file, OpenRequest.UNKNOWN, OpenRequest.UNKNOWN, path, null, counters));
    } catch (NoSuchFileException e) {
      throw missing("File " + path + " does not exist", e);
    } catch (AccessDeniedException e) {
      throw missing(path + " (Permission denied)", e);
    }
  }

  private static FileNotFoundException missing(String message, IOException cause) {
    FileNotFoundException missing = new FileNotFoundException(message);
    missing.initCause(cause);
    return missing;
  }

  private static boolean isLocal(FileSystem files) {
    return files.getClass() == LocalFileSystem.class
        || files.getClass() == RawLocalFileSystem.class;
  }
}
