package io.ariadne.plugin.config;

import io.ariadne.spill.disk.DiskSpillOptions;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;

/**
 * Determines where and how batches spill to disk: in Spark's local directories, unless Ariadne's
 * settings name others, and encrypted if Spark encrypts its files.
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
   * Returns the options of the process for spilling to disk.
   *
   * @param conf Spark's settings
   * @param settings Ariadne's settings
   * @param sparkDirectories Spark's local directories in this process
   * @return the options, or null when nothing spills to disk
   * @throws IllegalArgumentException when AES does not support the length of the encryption key
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
