package io.ariadne.io.gds;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.io.ReadCounters;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;

/** Reads of one file by cuFile, straight into device memory. Thread-safe. */
final class DirectReads {
  private final CuFileLibrary library;
  private final RegisteredBuffers buffers;
  private final Path path;
  private final ReadCounters counters;

  DirectReads(CuFileLibrary library, RegisteredBuffers buffers, Path path, ReadCounters counters) {
    this.library = library;
    this.buffers = buffers;
    this.path = path;
    this.counters = counters;
  }

  /** cuFile, not the file, is the cause of a failure: the bytes can be read otherwise. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int error;

    RefusedException(int error, String message) {
      super(message);
      this.error = error;
    }

    /** Returns the error of cuFile. */
    int error() {
      return error;
    }
  }

  /**
   * Reads; blocks until all bytes are there.
   *
   * @param handle the registered file
   * @throws IOException when the system cannot read the file, or it has been cut
   * @throws RefusedException when cuFile refuses
   */
  void read(long handle, long position, MemoryBuffer target, long targetOffset, long length)
      throws IOException, RefusedException {
    long address = target.address() + targetOffset;
    try (RegisteredBuffers.Target to = buffers.target(address, length)) {
      for (long done = 0; done < length; ) {
        // An offset is for registered memory only.
        boolean isRegistered = to.uses() != null;
        long base = isRegistered ? to.base() : to.base() + done;
        long offset = isRegistered ? to.offset() + done : 0;
        long start = System.nanoTime();
        long read = library.read(handle, base, length - done, position + done, offset);
        counters.requests().increment();
        counters.nanos().add(System.nanoTime() - start);
        done += checked(read, position + done, length - done);
        counters.bytes().add(read);
      }
    }
  }

  /**
   * Returns what a call has read.
   *
   * @param result bytes, or minus an error
   * @param position where it began to read
   * @param wanted bytes that it should have read
   */
  long checked(long result, long position, long wanted) throws IOException, RefusedException {
    if (result > wanted) {
      throw new IOException(
          path + ": cuFile says that it has read " + result + " bytes of " + wanted);
    }
    if (result > 0) {
      return result;
    }
    if (result == 0) {
      throw new EOFException("ends at byte " + position + ", has been cut: " + path);
    }
    String what = wanted + " bytes at " + position + " of " + path + " into device memory";
    if (CuFileErrors.isOfCuFile(result)) {
      throw new RefusedException(
          (int) -result, "cuFile cannot read " + what + ": " + CuFileErrors.nameOfResult(result));
    }
    throw new IOException("cannot read " + what + ": " + CuFileErrors.nameOfResult(result));
  }
}
