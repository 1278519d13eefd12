package io.ariadne.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The memory limit of the control group this process runs in, versions 1 and 2.
 *
 * <p>A limit holds for all groups below, so the smallest on the way up counts. Inside a container
 * the path of the group is often not visible; then the files at the mount point are the
 * container's. Source: Linux kernel, Documentation/admin-guide/cgroup-v2.rst ("memory.max") and
 * cgroup-v1/memory.rst ("memory.limit_in_bytes").
 */
final class CgroupMemory {
  private static final String V2_LIMIT = "memory.max";
  private static final String V1_LIMIT = "memory.limit_in_bytes";
  private static final String V1_CONTROLLER = "memory";
  private static final String UNLIMITED = "max";

  private CgroupMemory() {}

  /**
   * Reads the limit.
   *
   * @param root directory that stands for {@code /}
   * @return bytes, or empty when there is no limit, no control group or no permission to read it
   */
  static OptionalLong limitInBytes(Path root) {
    Path mount = root.resolve("sys/fs/cgroup");
    String group = "/";
    boolean version2 = Files.exists(mount.resolve("cgroup.controllers"));
    for (String line : read(root.resolve("proc/self/cgroup")).split("\n", -1)) {
      // hierarchy:controllers:path; version 2 has hierarchy 0 and no controllers.
      String[] parts = line.split(":", 3);
      if (parts.length == 3 && (version2 ? parts[0].equals("0") : isMemory(parts[1]))) {
        group = parts[2];
      }
    }
    return version2
        ? smallest(mount, group, V2_LIMIT)
        : smallest(mount.resolve(V1_CONTROLLER), group, V1_LIMIT);
  }

  private static boolean isMemory(String controllers) {
    return ("," + controllers + ",").contains("," + V1_CONTROLLER + ",");
  }

  private static OptionalLong smallest(Path mount, String group, String file) {
    long smallest = Long.MAX_VALUE;
    Path top = mount.normalize();
    Path directory = mount.resolve(group.replaceFirst("^/+", "")).normalize();
    while (directory != null && directory.startsWith(top)) {
      smallest = Math.min(smallest, parse(read(directory.resolve(file))));
      directory = directory.getParent();
    }
    return smallest == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(smallest);
  }

  private static long parse(String text) {
    String value = text.trim();
    if (value.isEmpty() || value.equals(UNLIMITED)) {
      return Long.MAX_VALUE;
    }
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      return Long.MAX_VALUE;
    }
  }

  /** Returns a file's text, empty when it cannot be read: then it says nothing about limits. */
  static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
