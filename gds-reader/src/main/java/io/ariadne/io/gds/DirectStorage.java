package io.ariadne.io.gds;

import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A process's access to cuFile. Thread-safe; one instance per process, because the driver's state
 * is the process's.
 *
 * <p>Source: NVIDIA, cuFile API Reference Guide ({@code cuFileDriverOpen}, {@code cuFileRead}).
 */
public interface DirectStorage extends AutoCloseable {
  /** How bytes travel. Reported at start, never chosen silently. */
  enum Mode {
    /** Storage to GPU memory by DMA. */
    DIRECT,
    /** cuFile's own compatibility mode: POSIX reads through buffers of the library. */
    COMPATIBILITY,
    /** The library is absent or refuses to start: reads into pinned memory, then a copy. */
    BOUNCE
  }

  /** Returns how bytes travel, decided once when the driver is opened. */
  Mode mode();

  /** Returns why {@link #mode} is not {@link Mode#DIRECT}, empty when it is. */
  String reason();

  /**
   * Opens a file for reads into DEVICE, PINNED and HOST buffers.
   *
   * @param file a regular file
   * @return a reader to be closed by the caller, before this
   * @throws IOException when it cannot be opened; the message names the file
   */
  ByteRangeReader open(Path file) throws IOException;

  /**
   * Makes a range of device memory known to the driver, so that reads into it need no staging.
   *
   * @param address first byte, aligned to 4096
   * @param lengthInBytes bytes, a multiple of 4096
   * @return a handle that takes the registration back when closed, before the memory is freed
   */
  Registration register(long address, long lengthInBytes);

  /** A range of device memory the driver knows. */
  interface Registration extends AutoCloseable {
    /** Takes the registration back; no read into the range may be under way. */
    @Override
    void close();
  }

  /** Closes the driver after the last reader. Idempotent. */
  @Override
  void close();
}
