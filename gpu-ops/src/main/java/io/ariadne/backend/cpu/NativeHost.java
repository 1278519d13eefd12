package io.ariadne.backend.cpu;

/** The native functions of the host library; {@link NativeLibrary} loads it. */
final class NativeHost {

  private NativeHost() {}

  /** Returns the address of the first record of the kernel table. */
  static native long kernelTableAddress();

  /** Returns the number of records of the kernel table. */
  static native int kernelTableCount();

  /** Returns the address of the first record of the layout table. */
  static native long layoutTableAddress();

  /** Returns the number of records of the layout table. */
  static native int layoutTableCount();

  /**
   * Runs a kernel on the calling thread and returns when it is done.
   *
   * @param function address of a kernel of the table; nothing checks it
   * @param arguments address of its argument struct
   */
  static native void launch(long function, long arguments);
}
