package io.ariadne.spill.disk;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * How a {@link DiskSpillStore} works.
 *
 * @param directories local directories, one on each disk there is; used at the same time
 * @param limitInBytes bytes on disk at most
 * @param direct whether to go around the page cache where the file system lets us: bytes that leave
 *     memory are then not kept in it a second time
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
  /** One has the next page ready when the other's is written. */
  private static final int THREADS_PER_DIRECTORY = 2;

  /** When frames are compressed. */
  public enum Compression {
    /** When it has lately been faster than writing the bytes as they are. */
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

  /** Returns options for directories with everything else as it is by default. */
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

  /** Returns pages that one write, or one batch that is read back, takes. */
  public int pagesPerStream() {
    return SpillDirectories.pagesPerStream(directories.size());
  }

  /** Returns these with other directories. */
  public DiskSpillOptions withDirectories(List<Path> others) {
    return new DiskSpillOptions(
        others, limitInBytes, direct, compression, encryptionKeyBits, threadsPerDirectory, advice);
  }

  /** Returns these with another limit. */
  public DiskSpillOptions withLimit(long bytes) {
    return new DiskSpillOptions(
        directories, bytes, direct, compression, encryptionKeyBits, threadsPerDirectory, advice);
  }

  /** Returns these with another advice for who meets a full disk. */
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

  /** Returns these with or without going around the page cache. */
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

  /** Returns these with compression at another time. */
  public DiskSpillOptions withCompression(Compression when) {
    return new DiskSpillOptions(
        directories, limitInBytes, direct, when, encryptionKeyBits, threadsPerDirectory, advice);
  }

  /** Returns these with encryption by a key of so many bits, 0 for none. */
  public DiskSpillOptions withEncryption(int keyBits) {
    return new DiskSpillOptions(
        directories, limitInBytes, direct, compression, keyBits, threadsPerDirectory, advice);
  }
}
