package io.ariadne.plugin.config;

import io.ariadne.io.cache.RangeCacheConfig;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.apache.spark.SparkConf;

/**
 * Determines where and how ranges of remote files are kept on local disks: beside Spark's local
 * directories, unless Ariadne's settings name others, and encrypted with the application's key if
 * Spark encrypts its files.
 */
public final class CachePlaces {
  private static final String FOLDER = "ariadne-cache-";
  private static final String APPLICATION = "spark.app.id";
  private static final long MIN_STAGING_BYTES = 4L << 20;
  private static final long MAX_STAGING_BYTES = 64L << 20;

  /** Memory of the process per byte of staging memory. */
  private static final int STAGING_SHARE = 64;

  private CachePlaces() {}

  /**
   * Returns the options of the process for the cache.
   *
   * @param conf Spark's settings
   * @param settings Ariadne's settings
   * @param sparkDirectories Spark's local directories in this process
   * @param encryptionKey Spark's key for local files, null when these are not encrypted
   * @param memoryInBytes memory of the process
   * @return the options, or null when nothing is kept
   */
  public static RangeCacheConfig of(
      SparkConf conf,
      StartupConfig.Cache settings,
      File[] sparkDirectories,
      byte[] encryptionKey,
      long memoryInBytes) {
    if (settings.sizeInBytes() == 0) {
      return null;
    }
    String user = safe(System.getProperty("user.name"));
    List<Path> directories =
        settings
            .directories()
            .map(named -> named.stream().map(each -> each.resolve(FOLDER + user)).toList())
            .orElseGet(() -> beside(sparkDirectories, safe(conf.get(APPLICATION, "local"))));
    SecretKey key = encryptionKey == null ? null : new SecretKeySpec(encryptionKey, "AES");
    long staging =
        Math.min(MAX_STAGING_BYTES, Math.max(MIN_STAGING_BYTES, memoryInBytes / STAGING_SHARE));
    return RangeCacheConfig.in(directories, settings.sizeInBytes())
        .withEncryption(key)
        .withStaging(staging)
        .withDeletion(settings.directories().isEmpty());
  }

  /**
   * Returns folders beside Spark's, which have a random name in each process: those of one
   * application are the same in all processes with the same local directories.
   */
  private static List<Path> beside(File[] sparkDirectories, String application) {
    return Arrays.stream(sparkDirectories)
        .map(each -> each.toPath().toAbsolutePath().resolveSibling(FOLDER + application))
        .distinct()
        .toList();
  }

  private static String safe(String name) {
    return name.replaceAll("[^A-Za-z0-9_.-]", "_");
  }
}
