package io.ariadne.shuffle.transport.ucx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Finds the ports of RDMA devices, of InfiniBand and RoCE, as Linux lists them (Linux, {@code
 * Documentation/ABI/stable/sysfs-class-infiniband}).
 */
public final class RdmaDevices {
  private static final Path DEVICES = Path.of("/sys/class/infiniband");

  private RdmaDevices() {}

  /** Returns the ports of this machine that are active, as UCX names them: {@code mlx5_0:1}. */
  public static List<String> activePorts() {
    return activePorts(DEVICES);
  }

  /**
   * Returns the active ports.
   *
   * @param devices a folder with one folder per device; it may be missing
   */
  static List<String> activePorts(Path devices) {
    List<String> active = new ArrayList<>();
    for (Path device : entries(devices)) {
      for (Path port : entries(device.resolve("ports"))) {
        if (isActive(port.resolve("state"))) {
          active.add(device.getFileName() + ":" + port.getFileName());
        }
      }
    }
    Collections.sort(active);
    return active;
  }

  private static List<Path> entries(Path folder) {
    List<Path> entries = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
        found.forEach(entries::add);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot list RDMA devices: " + folder, e);
      }
    }
    return entries;
  }

  /** The kernel writes a number and a name: {@code 4: ACTIVE}. */
  private static boolean isActive(Path state) {
    try {
      return Files.readString(state).contains("ACTIVE");
    } catch (IOException e) {
      return false; // the device has gone
    }
  }
}
