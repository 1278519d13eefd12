package io.ariadne.backend.emulated;

/** The native functions of the emulated library; {@link EmulatedBackend} loads it. */
final class NativeEmulator {

  private NativeEmulator() {}

  /** Returns the address of the first record of the kernel table. */
  static native long kernelTableAddress();

  /** Returns the number of records of the kernel table. */
  static native int kernelTableCount();

  /**
   * Runs the GPU form of a kernel on the calling thread.
   *
   * @param function address of a kernel of the table
   * @param arguments address of its argument struct
   * @param options address of an emulator_launch_options
   * @return 0 when nothing was found; otherwise the report says what
   */
  static native int launch(long function, long arguments, long options);

  /** Returns the address of the emulator_report of the last launch. */
  static native long report();

  /** Declares memory that kernels may touch. */
  static native void addRegion(long base, long lengthInBytes);

  /** Takes back a declared region. */
  static native void removeRegion(long base);
}
