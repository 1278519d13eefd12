package io.ariadne.io.local;

/**
 * System calls on an {@code io_uring} and access to the queues that it shares with the kernel.
 * Negative results are negated error numbers ({@link SystemErrors}). A ring is used by the thread
 * that opens it, {@link #notify} by any thread. Nothing checks addresses.
 */
final class NativeRing {
  /** Bytes of a result of {@link #reap}: the id of the request, then its result. */
  static final int RESULT_BYTES = 2 * Long.BYTES;

  private NativeRing() {}

  /** Returns the bytes of memory that a ring's description takes. */
  static native int sizeInBytes();

  /**
   * Opens a ring.
   *
   * @param ring address of {@link #sizeInBytes} bytes
   * @param entries requests that can be appended before {@link #enter}, a power of two
   */
  static native int open(long ring, int entries);

  /** Closes a ring without requests in the kernel. */
  static native void close(long ring);

  /**
   * Appends a read.
   *
   * @param ring the ring
   * @param id comes back with the result
   * @param file descriptor
   * @param address where the bytes go
   * @param length bytes wanted
   * @param position first byte in the file
   * @param inOtherThread whether the kernel does all of it on threads of its own
   * @return -EBUSY when the queue is full
   */
  static native int pushRead(
      long ring, long id, int file, long address, int length, long position, boolean inOtherThread);

  /** Appends a request to end another one, whose result tells whether it worked. */
  static native int pushCancel(long ring, long id, long cancelled);

  /** Appends a request that does nothing. */
  static native int pushNothing(long ring, long id);

  /**
   * Passes the appended requests to the kernel, then waits.
   *
   * @param ring the ring
   * @param results how many results to wait for
   * @param nanos longest wait
   * @return how many requests were passed
   */
  static native int enter(long ring, int results, long nanos);

  /** Takes back appended requests that were not passed to the kernel; returns how many. */
  static native int retract(long ring);

  /**
   * Takes results.
   *
   * @param ring the ring
   * @param results address of {@code most} times {@link #RESULT_BYTES} bytes
   * @param most how many to take at most
   * @return how many were taken
   */
  static native int reap(long ring, long results, int most);

  /** Opens a descriptor from which 8 bytes can be read after {@link #notify}. */
  static native int openEvent();

  /** Makes a descriptor of {@link #openEvent} readable. */
  static native int notify(int event);
}
