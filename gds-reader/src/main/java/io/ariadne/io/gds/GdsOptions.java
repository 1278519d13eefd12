package io.ariadne.io.gds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Limits of the reader. The sizes of {@link #DEFAULT} are the defaults of KvikIO: a threshold of 16
 * KiB, tasks of 4 MiB and 16 MiB of staging memory.
 *
 * @param thresholdBytes shorter reads pass through the host
 * @param taskBytes bytes that one thread reads before it looks whether it has to end
 * @param pageBytes bytes of a page of the staging memory
 * @param pages pages of the staging memory at most
 * @param registeredFiles files that are registered at once; the least recently read ones end
 * @param patienceMillis how long a read of a page may take before it is reported and given up
 * @param fileSystems tells the kind of a file's file system
 */
record GdsOptions(
    long thresholdBytes,
    long taskBytes,
    int pageBytes,
    int pages,
    int registeredFiles,
    long patienceMillis,
    FileSystemKinds fileSystems) {
  /** What is used outside tests. */
  static final GdsOptions DEFAULT =
      new GdsOptions(
          16 << 10, 4 << 20, 1 << 20, 16, 128, 120_000, file -> Files.getFileStore(file).type());

  /** Tells the kind of a file system. */
  @FunctionalInterface
  interface FileSystemKinds {
    /** Returns what the system calls the kind of a file's file system, such as {@code xfs}. */
    String of(Path file) throws IOException;
  }

  GdsOptions withFileSystems(FileSystemKinds kinds) {
    return new GdsOptions(
        thresholdBytes, taskBytes, pageBytes, pages, registeredFiles, patienceMillis, kinds);
  }

  GdsOptions withRegisteredFiles(int files) {
    return new GdsOptions(
        thresholdBytes, taskBytes, pageBytes, pages, files, patienceMillis, fileSystems);
  }

  GdsOptions withPatience(long millis) {
    return new GdsOptions(
        thresholdBytes, taskBytes, pageBytes, pages, registeredFiles, millis, fileSystems);
  }

  GdsOptions withPages(int bytes, int count) {
    return new GdsOptions(
        thresholdBytes, taskBytes, bytes, count, registeredFiles, patienceMillis, fileSystems);
  }
}
