package io.ariadne.io.local;

import io.ariadne.columnar.buffer.Memory;

/**
 * What the kernel tells of a file.
 *
 * @param mode kind of file and permissions
 * @param lengthInBytes length
 * @param modificationTimeMillis when it was last modified, in milliseconds since 1970
 * @param inode number of the file in its file system
 * @param device number of the file system
 * @param memoryAlignment alignment of memory for direct I/O, 0 when there is none, -1 when unknown
 * @param offsetAlignment alignment of positions for direct I/O, 0 when there is none, -1 when
 *     unknown
 */
record FileStatus(
    int mode,
    long lengthInBytes,
    long modificationTimeMillis,
    long inode,
    long device,
    long memoryAlignment,
    long offsetAlignment) {
  private static final int FIELDS = 7;

  /** Bytes that the native functions write: 64-bit numbers in the order of the fields. */
  static final int BYTES = FIELDS * Long.BYTES;

  private static final int KIND_MASK = 0xF000;
  private static final int REGULAR = 0x8000;
  private static final int FOLDER = 0x4000;

  /** Reads what a native function has written. */
  static FileStatus at(long address) {
    long[] values = new long[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
      values[i] = Memory.getLong(address + (long) i * Long.BYTES);
    }
    return new FileStatus(
        (int) values[0], values[1], values[2], values[3], values[4], values[5], values[6]);
  }

  /** Returns whether it has bytes at positions, unlike folders, pipes and devices. */
  boolean isRegular() {
    return (mode & KIND_MASK) == REGULAR;
  }

  /** Returns whether it is a folder. */
  boolean isFolder() {
    return (mode & KIND_MASK) == FOLDER;
  }

  /** Returns whether it is the same file. */
  boolean isSameFile(FileStatus other) {
    return inode == other.inode && device == other.device;
  }
}
