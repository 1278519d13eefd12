package io.ariadne.plugin.config;

import io.ariadne.spill.disk.DiskSpillOptions;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;

/**
 * Where and how data leaves memory: Spark's local directories and encryption unless Ariadne's own
 * settings say otherwise.
 */
public final class SpillPlaces {
  private static final String FOLDER = "ariadne-spill";
  private static final String ENCRYPTION = "spark.io.encryption.enabled";
  private static final String KEY_BITS = "spark.io.encryption.keySizeBits";
  private static final int DEFAULT_KEY_BITS = 128;
  private static final String ADVICE =
      "free space there, or name other directories: " + ConfigKeys.SPILL_DIRECTORIES.name();

  private SpillPlaces() {}

  /**
   * Returns the options of the process.
   *
   * @param conf Spark's settings
   * @param settings Ariadne's
   * @param sparkDirectories Spark's local directories in this process
   * @return the options, or null when nothing leaves memory
   * @throws IllegalArgumentException when the key for encryption has a length that AES has not
   */
  public static DiskSpillOptions of(
      SparkConf conf, StartupConfig.Spill settings, File[] sparkDirectories) {
    List<Path> directories =
        settings
            .directories()
            .orElseGet(
                () ->
                    Arrays.stream(sparkDirectories)
                        .map(directory -> directory.toPath().resolve(FOLDER))
                        .toList());
    if (directories.isEmpty()) {
      return null;
    }
    boolean isEncrypted = conf.getBoolean(ENCRYPTION, false);
    return DiskSpillOptions.in(directories)
        .withAdvice(ADVICE)
        .withDirect(settings.direct())
        .withCompression(settings.compression())
        .withEncryption(isEncrypted ? conf.getInt(KEY_BITS, DEFAULT_KEY_BITS) : 0);
  }
}
