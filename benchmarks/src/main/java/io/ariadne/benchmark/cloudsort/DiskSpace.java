package io.ariadne.benchmark.cloudsort;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Adds up the bytes that folders need, and compares them with the free bytes of their disks. */
public final class DiskSpace {
  private record Need(Path folder, long bytes, String what) {
    String text() {
      return "%d bytes for %s in %s".formatted(bytes, what, folder);
    }
  }

  private final List<Need> needs = new ArrayList<>();

  /**
   * Adds a need.
   *
   * @param folder exists
   * @param what it is for, in the message
   */
  public DiskSpace need(Path folder, long bytes, String what) {
    needs.add(new Need(folder, bytes, what));
    return this;
  }

  /**
   * Checks all needs.
   *
   * @throws IOException when a disk has fewer free bytes than its folders need
   */
  public void check() throws IOException {
    Map<FileStore, List<Need>> byDisk = new LinkedHashMap<>();
    for (Need need : needs) {
      byDisk.computeIfAbsent(Files.getFileStore(need.folder), d -> new ArrayList<>()).add(need);
    }
    for (Map.Entry<FileStore, List<Need>> disk : byDisk.entrySet()) {
      long needed = disk.getValue().stream().mapToLong(Need::bytes).sum();
      long free = disk.getKey().getUsableSpace();
      if (needed > free) {
        throw new IOException(
            "the disk of %s has %d free bytes, %d too few: the sort needs %s"
                .formatted(
                    disk.getValue().get(0).folder,
                    free,
                    needed - free,
                    String.join(", ", disk.getValue().stream().map(Need::text).toList())));
      }
    }
  }
}
