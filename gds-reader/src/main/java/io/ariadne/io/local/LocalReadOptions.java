package io.ariadne.io.local;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Objects;

/**
 * How local files are read.
 *
 * @param direct whether reads bypass the page cache
 * @param directAboveBytes with {@link DirectReads#AUTO}, files that are longer are read directly
 */
public record LocalReadOptions(DirectReads direct, long directAboveBytes) {
  /**
   * A file larger than a quarter of memory pushes most other files out of the page cache, and is
   * itself pushed out before it is read again.
   */
  private static final int MEMORY_SHARE = 4;

  /** Checks the values. */
  public LocalReadOptions {
    Objects.requireNonNull(direct, "direct is null");
    if (directAboveBytes < 0) {
      throw new IllegalArgumentException("directAboveBytes=" + directAboveBytes);
    }
  }

  /**
   * Returns the options with which files above a quarter of the memory of the machine, or of the
   * container if it has a limit, count as large.
   *
   * @param direct whether reads bypass the page cache
   */
  public static LocalReadOptions of(DirectReads direct) {
    return new LocalReadOptions(direct, memoryBytes() / MEMORY_SHARE);
  }

  private static long memoryBytes() {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return system.getTotalMemorySize();
  }

  /** Returns whether a file is to be read directly. */
  boolean readsDirectly(long lengthInBytes) {
    return switch (direct) {
      case ON -> true;
      case OFF -> false;
      case AUTO -> lengthInBytes > directAboveBytes;
    };
  }

  /** Returns which files are read directly, for the start-up line. */
  String description() {
    return switch (direct) {
      case ON -> "direct I/O for all files";
      case OFF -> "no direct I/O";
      case AUTO -> "direct I/O for files above " + (directAboveBytes >> 20) + " MiB";
    };
  }
}
