package io.ariadne.io.gds;

import io.ariadne.io.ByteRangeReader;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Gives a process access to cuFile. Thread-safe; one instance per process, because the driver's
 * state belongs to the process.
 *
 * <p>Source: NVIDIA, cuFile API Reference Guide ({@code cuFileDriverOpen}, {@code cuFileRead}).
 */
public interface DirectStorage extends AutoCloseable {
  /** How bytes reach GPU memory. Reported at start, never chosen silently. */
  enum Mode {
    /** Storage to GPU memory by DMA. */
    DIRECT,
    /** cuFile's own compatibility mode: POSIX reads through buffers of the library. */
    COMPATIBILITY,
    /** The library is absent or fails to start: reads into pinned memory, then a copy. */
    BOUNCE
  }

  /** Returns how bytes reach GPU memory, decided once when the driver is opened. */
  Mode mode();

  /** Returns why {@link #mode} is not {@link Mode#DIRECT}, empty when it is. */
  String reason();

  /**
   * Opens a file for reads into DEVICE, PINNED and HOST buffers.
   *
   * @param file a regular file
   * @return a reader to be closed by the caller, before this object
   * @throws IOException when it cannot be opened; the message names the file
   */
  ByteRangeReader open(Path file) throws IOException;

  /**
   * Registers a range of device memory with the driver, so that reads into it need no staging.
   *
   * @param address first byte, aligned to 4096
   * @param lengthInBytes number of bytes, a multiple of 4096
   * @return a handle that ends the registration when closed, which must happen before the memory is
   *     freed
   */
  Registration register(long address, long lengthInBytes);

  /** A registered range of device memory. */
  interface Registration extends AutoCloseable {
    /** Ends the registration; no read into the range may be running. */
    @Override
    void close();
  }

  /** Closes the driver. All readers must be closed before. Idempotent. */
  @Override
  void close();
}
