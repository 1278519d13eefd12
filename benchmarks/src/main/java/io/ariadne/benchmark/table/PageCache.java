package io.ariadne.benchmark.table;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Takes files out of the operating system's page cache, so that the next run reads the disk. */
public final class PageCache {
  private static final int LIMIT_SECONDS = 60;

  private PageCache() {}

  /**
   * Writes what is dirty of the files in some folders to the disk and drops them from the page
   * cache. Uses {@code dd} of GNU coreutils, because Java cannot advise the kernel.
   *
   * @throws IOException when there is no such {@code dd} or it fails
   */
  public static void drop(Collection<Path> folders) throws IOException {
    for (Path folder : folders) {
      List<Path> files;
      try (Stream<Path> found = Files.walk(folder)) {
        files = found.filter(Files::isRegularFile).toList();
      }
      for (Path file : files) {
        dropFile(file);
      }
    }
  }

  private static void dropFile(Path file) throws IOException {
    List<String> command = new ArrayList<>(List.of("dd", "of=" + file, "oflag=nocache"));
    command.addAll(List.of("conv=nocreat,notrunc,fdatasync", "count=0", "status=none"));
    Process dd = new ProcessBuilder(command).redirectErrorStream(true).start();
    dd.getOutputStream().close();
    try {
      if (!dd.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(String.join(" ", command) + " has not ended in a minute");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + file + " is taken out of the cache");
    } finally {
      dd.destroy();
    }
    if (dd.exitValue() != 0) {
      String output = new String(dd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      throw new IOException(String.join(" ", command) + " failed: " + output);
    }
  }
}
