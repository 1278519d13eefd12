package io.ariadne.io.gds;

/**
 * Calls functions of libcufile by their addresses. Part of the host library, which {@link
 * io.ariadne.backend.cpu.NativeLibrary} loads. Nothing here checks an address.
 *
 * <p>A status holds cuFile's error in its lower and CUDA's error in its upper 32 bits.
 */
final class CuFileNative {
  private CuFileNative() {}

  /**
   * Loads a library.
   *
   * @param name address of its NUL-terminated name or path
   * @param reason where to write why it cannot be loaded, NUL-terminated
   * @param capacity bytes of {@code reason}
   * @return the library, or 0
   */
  static native long load(long name, long reason, int capacity);

  /** Returns the address of a function whose NUL-terminated name is at an address, or 0. */
  static native long symbol(long library, long name);

  /** Opens the file whose NUL-terminated path is at an address; minus an error number if not. */
  static native long openFile(long path, int flags);

  /** Closes a descriptor of {@link #openFile}. */
  static native void closeFile(int descriptor);

  /** Calls a function without arguments; returns its status. */
  static native long callPlain(long function);

  /** Calls a function that fills in a struct; returns its status. */
  static native long callWithAddress(long function, long address);

  /** Calls a function that sets a parameter; returns its status. */
  static native long setBoolean(long function, int parameter, boolean value);

  /** Registers a descriptor; the handle is written to the address. Returns the status. */
  static native long handleRegister(long function, int descriptor, long handleAddress);

  /** Ends a registration of a descriptor. */
  static native void handleDeregister(long function, long handle);

  /** Registers device memory; returns the status. */
  static native long bufferRegister(long function, long address, long bytes);

  /** Ends a registration of device memory; returns the status. */
  static native long bufferDeregister(long function, long address);

  /**
   * Reads; blocks until the bytes are in device memory.
   *
   * @return bytes read, minus an error number of the system, or minus an error of cuFile
   */
  static native long read(
      long function, long handle, long base, long bytes, long position, long offset);

  /** Makes a batch; its handle is written to the address. Returns the status. */
  static native long batchSetUp(long function, long batchAddress, int entries);

  /** Submits entries of a batch; returns the status. */
  static native long batchSubmit(long function, long batch, int entries, long parameters);

  /**
   * Waits for entries of a batch.
   *
   * @param least entries to wait for
   * @param countAddress 32 bits: how many events there is memory for, then how many have arrived
   * @param events memory of the events
   * @param nanos how long to wait at most
   * @return the status
   */
  static native long batchStatus(
      long function, long batch, int least, long countAddress, long events, long nanos);

  /** Cancels entries of a batch; returns the status. */
  static native long batchCancel(long function, long batch);

  /** Frees a batch. */
  static native void batchDestroy(long function, long batch);

  /** Registers a CUDA stream; returns the status. */
  static native long streamRegister(long function, long stream, int flags);

  /** Ends a registration of a CUDA stream; returns the status. */
  static native long streamDeregister(long function, long stream);

  /**
   * Queues a read on a CUDA stream.
   *
   * @param request address of bytes to read, position, offset and result, 64 bits each
   * @return the status
   */
  static native long readAsync(long function, long handle, long base, long request, long stream);
}
