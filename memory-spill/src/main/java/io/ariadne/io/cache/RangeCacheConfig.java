package io.ariadne.io.cache;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.crypto.SecretKey;

/**
 * Settings of a {@link RangeCache}.
 *
 * @param directories folders of the cache, one on each disk, created when they do not exist; used
 *     by nothing else
 * @param limitInBytes most bytes of cached files of all processes that share the directories,
 *     divided evenly among these
 * @param encryptionKey key of the application with which bytes are encrypted, null for none;
 *     processes that share it read each other's files
 * @param stagingBytes memory for bytes on their way to the disks
 * @param minFreeBytes bytes that the cache leaves free on each disk
 * @param deletesAtEnd whether the last process that closes the cache deletes the directories
 */
public record RangeCacheConfig(
    List<Path> directories,
    long limitInBytes,
    SecretKey encryptionKey,
    long stagingBytes,
    long minFreeBytes,
    boolean deletesAtEnd) {
  /** Some 100 ms of a disk that writes 300 MB per second. */
  private static final long STAGING_BYTES = 32L << 20;

  private static final long MIN_STAGING_BYTES = 1L << 20;
  private static final long MIN_FREE_BYTES = 1L << 30;

  /** Checks the values. */
  public RangeCacheConfig {
    directories = List.copyOf(directories);
    if (directories.isEmpty()
        || directories.stream().anyMatch(each -> each.getFileName() == null)) {
      throw new IllegalArgumentException("no directories for cached ranges: " + directories);
    }
    if (limitInBytes < 1 || stagingBytes < MIN_STAGING_BYTES || minFreeBytes < 0) {
      throw new IllegalArgumentException(
          limitInBytes + " bytes, " + stagingBytes + " staged, " + minFreeBytes + " free");
    }
  }

  /** Returns default settings for directories and a limit in bytes: no encryption. */
  public static RangeCacheConfig in(List<Path> directories, long limitInBytes) {
    return new RangeCacheConfig(
        directories, limitInBytes, null, STAGING_BYTES, MIN_FREE_BYTES, false);
  }

  /** Returns these settings with encryption by a key, or without when it is null. */
  public RangeCacheConfig withEncryption(SecretKey key) {
    return new RangeCacheConfig(
        directories, limitInBytes, key, stagingBytes, minFreeBytes, deletesAtEnd);
  }

  /** Returns these settings with other memory for bytes on their way to the disks. */
  public RangeCacheConfig withStaging(long bytes) {
    return new RangeCacheConfig(
        directories, limitInBytes, encryptionKey, bytes, minFreeBytes, deletesAtEnd);
  }

  /** Returns these settings with other bytes that stay free on each disk. */
  public RangeCacheConfig withMinFree(long bytes) {
    return new RangeCacheConfig(
        directories, limitInBytes, encryptionKey, stagingBytes, bytes, deletesAtEnd);
  }

  /** Returns these settings with directories that the last process deletes, or that stay. */
  public RangeCacheConfig withDeletion(boolean atEnd) {
    return new RangeCacheConfig(
        directories, limitInBytes, encryptionKey, stagingBytes, minFreeBytes, atEnd);
  }

  /** Returns these settings with other directories. */
  public RangeCacheConfig withDirectories(List<Path> others) {
    Objects.requireNonNull(others, "others is null");
    return new RangeCacheConfig(
        others, limitInBytes, encryptionKey, stagingBytes, minFreeBytes, deletesAtEnd);
  }

  /** Describes the settings without the key. */
  @Override
  public String toString() {
    return limitInBytes
        + " bytes in "
        + directories
        + (encryptionKey == null ? "" : ", encrypted")
        + (deletesAtEnd ? ", deleted at the end" : "");
  }
}
