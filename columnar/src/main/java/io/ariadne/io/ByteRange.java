package io.ariadne.io;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.Objects;

/**
 * A range of a file and where its bytes go.
 *
 * @param position first byte in the file
 * @param target where the bytes go, stays the caller's; not to be closed before the read has ended
 * @param targetOffset first byte in the target
 * @param length bytes to read
 */
public record ByteRange(long position, MemoryBuffer target, long targetOffset, long length) {
  /** Checks that the range fits into the target. */
  public ByteRange {
    Objects.checkFromIndexSize(targetOffset, length, target.capacityInBytes());
  }
}
