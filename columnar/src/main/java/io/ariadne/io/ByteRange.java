package io.ariadne.io;

import io.ariadne.columnar.buffer.MemoryBuffer;
import java.util.Objects;

/**
 * A range of a file, and the buffer that it is read into.
 *
 * @param position first byte in the file
 * @param target where the bytes go; the caller keeps ownership, and does not close it before the
 *     read has ended
 * @param targetOffset first byte in the target
 * @param length bytes to read
 */
public record ByteRange(long position, MemoryBuffer target, long targetOffset, long length) {
  /** Checks that the range fits into the target. */
  public ByteRange {
    Objects.checkFromIndexSize(targetOffset, length, target.capacityInBytes());
  }
}
