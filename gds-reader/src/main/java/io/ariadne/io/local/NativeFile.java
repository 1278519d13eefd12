package io.ariadne.io.local;

/**
 * System calls on files. Negative results are negated error numbers ({@link SystemErrors}).
 * Interrupted calls are repeated. Nothing checks addresses.
 */
final class NativeFile {
  private NativeFile() {}

  /**
   * Opens a file to read.
   *
   * @param path address of a zero-terminated path
   * @param direct whether reads bypass the page cache; they then must be aligned
   * @return a descriptor, which the caller closes
   */
  static native int open(long path, boolean direct);

  /** Closes a descriptor, also when the result is an error. */
  static native int close(int file);

  /**
   * Describes the file at a path.
   *
   * @param path address of a zero-terminated path
   * @param result address of {@link FileStatus#BYTES} bytes
   */
  static native int statusOfPath(long path, long result);

  /**
   * Describes an open file.
   *
   * @param file its descriptor
   * @param result address of {@link FileStatus#BYTES} bytes
   */
  static native int status(int file, long result);

  /**
   * Reads once.
   *
   * @param file descriptor
   * @param address where the bytes go
   * @param length bytes wanted
   * @param position first byte in the file
   * @return bytes read, 0 at the end of the file
   */
  static native long read(int file, long address, long length, long position);

  /**
   * Reads a byte at every step of a range, and its last byte, unless that would wait for a device.
   * A read that would wait makes the kernel read ahead at that place.
   *
   * @param file descriptor
   * @param position first byte
   * @param length bytes, at least 1
   * @param step bytes from one sample to the next, at least 1
   * @return 1 when no read would wait, 0 when one would
   */
  static native int isResident(int file, long position, long length, long step);
}
