package io.ariadne.io.gds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether cuFile has a direct path to the file systems of the process. Each is asked once, and the
 * answer is logged; an error that holds for all of its files changes the answer. Thread-safe.
 */
final class FileSystems {
  private static final Logger LOG = LoggerFactory.getLogger(FileSystems.class);

  /** Block devices: NVMe, NVMe over fabrics, SCSI, ScaleFlux, NVMesh. */
  private static final int BLOCK_DEVICES = 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8;

  /** The bits of {@link CuFileProperties#fileSystems} of a kind of file system. */
  private static final Map<String, Integer> KINDS =
      Map.ofEntries(
          Map.entry("ext4", BLOCK_DEVICES),
          Map.entry("xfs", BLOCK_DEVICES),
          Map.entry("lustre", 1),
          Map.entry("wekafs", 1 << 1),
          Map.entry("nfs", 1 << 2),
          Map.entry("nfs4", 1 << 2),
          Map.entry("gpfs", 1 << 3),
          Map.entry("beegfs", 1 << 9),
          Map.entry("scatefs", 1 << 12),
          Map.entry("virtiofs", 1 << 13));

  private final CuFileProperties properties;
  private final GdsOptions.FileSystemKinds kinds;

  /** Reasons against a direct path, empty where there is one, by device number. */
  private final Map<Long, String> reasons = new ConcurrentHashMap<>();

  FileSystems(CuFileProperties properties, GdsOptions.FileSystemKinds kinds) {
    this.properties = properties;
    this.kinds = kinds;
  }

  /** Returns the number of the device that an open file is on. */
  static long deviceOf(Path file) throws IOException {
    return ((Number) Files.getAttribute(file, "unix:dev")).longValue();
  }

  /**
   * Returns why files of a device are not read directly, empty when they are.
   *
   * @param device number of the device
   * @param file a file on it, for the first answer
   */
  String reasonAgainst(long device, Path file) throws IOException {
    String known = reasons.get(device);
    if (known != null) {
      return known;
    }
    String reason = ask(file);
    if (reasons.putIfAbsent(device, reason) == null) {
      log(device, file, reason);
    }
    return reasons.get(device);
  }

  private String ask(Path file) throws IOException {
    String kind = kinds.of(file);
    Integer bits = KINDS.get(kind);
    if (bits == null) {
      return "cuFile has no direct path to file systems of type " + kind;
    }
    return properties.supportsAny(bits)
        ? ""
        : "cuFile's driver does not support file systems of type " + kind + " here";
  }

  /** Notes that cuFile refuses all files of a device. */
  void refuse(long device, Path file, String reason) {
    if (!reason.equals(reasons.put(device, reason))) {
      log(device, file, reason);
    }
  }

  private static void log(long device, Path file, String reason) {
    if (reason.isEmpty()) {
      LOG.info("device {}, of {}: storage writes to GPU memory directly", device, file);
    } else {
      LOG.info(
          "device {}, of {}: bytes for the GPU pass through the host: {}", device, file, reason);
    }
  }
}
