package io.ariadne.backend;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.Objects;

/**
 * A copy of the first bytes of a buffer to the host.
 *
 * @param source a buffer of the back end's tier
 * @param target address of host memory
 * @param lengthInBytes how many
 */
public record HostRead(MemoryBuffer source, long target, long lengthInBytes) {
  /** Checks that the source has so many bytes. */
  public HostRead {
    Objects.checkFromIndexSize(0, lengthInBytes, source.capacityInBytes());
  }
}
