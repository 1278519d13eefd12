package io.ariadne.spill.disk;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Settings of a {@link DiskSpillStore}.
 *
 * @param directories local directories, one on each disk; used at the same time
 * @param limitInBytes most bytes on disk
 * @param direct whether to bypass the page cache where the file system allows it: bytes that leave
 *     memory then do not stay in memory as cached pages
 * @param compression when to compress
 * @param encryptionKeyBits 0 for none, else the length of the AES key: 128, 192 or 256
 * @param threadsPerDirectory threads that read and write in each, at least 1
 * @param advice what users can do when the disk is full, such as which setting to raise
 */
public record DiskSpillOptions(
    List<Path> directories,
    long limitInBytes,
    boolean direct,
    Compression compression,
    int encryptionKeyBits,
    int threadsPerDirectory,
    String advice) {
  /** One thread has the next page ready when the other has written its page. */
  private static final int THREADS_PER_DIRECTORY = 2;

  /** When frames are compressed. */
  public enum Compression {
    /** When that has lately been faster than writing the raw bytes. */
    AUTO,
    /** Always. */
    ALWAYS,
    /** Never. */
    NEVER
  }

  /** Checks the values. */
  public DiskSpillOptions {
    directories = List.copyOf(directories);
    Objects.requireNonNull(compression, "compression is null");
    Objects.requireNonNull(advice, "advice is null");
    if (directories.isEmpty()) {
      throw new IllegalArgumentException("no directory to spill to");
    }
    if (limitInBytes < 0 || threadsPerDirectory < 1) {
      throw new IllegalArgumentException(
          limitInBytes + " bytes, " + threadsPerDirectory + " threads");
    }
    if (encryptionKeyBits != 0
        && encryptionKeyBits != 128
        && encryptionKeyBits != 192
        && encryptionKeyBits != 256) {
      throw new IllegalArgumentException("an AES key has no " + encryptionKeyBits + " bits");
    }
  }

  /** Returns default options for directories. */
  public static DiskSpillOptions in(List<Path> directories) {
    return new DiskSpillOptions(
        directories,
        Long.MAX_VALUE,
        true,
        Compression.AUTO,
        0,
        THREADS_PER_DIRECTORY,
        "free space there or name other directories");
  }

  /** Returns the number of pages that one write or one read takes. */
  public int pagesPerStream() {
    return SpillDirectories.pagesPerStream(directories.size());
  }

  /** Returns these options with other directories. */
  public DiskSpillOptions withDirectories(List<Path> others) {
    return new DiskSpillOptions(
        others, limitInBytes, direct, compression, encryptionKeyBits, threadsPerDirectory, advice);
  }

  /** Returns these options with another limit. */
  public DiskSpillOptions withLimit(long bytes) {
    return new DiskSpillOptions(
        directories, bytes, direct, compression, encryptionKeyBits, threadsPerDirectory, advice);
  }

  /** Returns these options with other advice for users whose disk is full. */
  public DiskSpillOptions withAdvice(String other) {
    return new DiskSpillOptions(
        directories,
        limitInBytes,
        direct,
        compression,
        encryptionKeyBits,
        threadsPerDirectory,
        other);
  }

  /** Returns these options with or without the page cache. */
  public DiskSpillOptions withDirect(boolean isDirect) {
    return new DiskSpillOptions(
        directories,
        limitInBytes,
        isDirect,
        compression,
        encryptionKeyBits,
        threadsPerDirectory,
        advice);
  }

  /** Returns these options with another choice of compression. */
  public DiskSpillOptions withCompression(Compression when) {
    return new DiskSpillOptions(
        directories, limitInBytes, direct, when, encryptionKeyBits, threadsPerDirectory, advice);
  }

  /** Returns these options with encryption by a key of so many bits, 0 for none. */
  public DiskSpillOptions withEncryption(int keyBits) {
    return new DiskSpillOptions(
        directories, limitInBytes, direct, compression, keyBits, threadsPerDirectory, advice);
  }
}
