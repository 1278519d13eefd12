package io.ariadne.backend.cuda;

import jcuda.Pointer;

/** A pointer to host memory outside the Java heap, by address. */
final class HostPointer extends Pointer {

  /** Creates a pointer that a driver call fills in. */
  HostPointer() {}

  private HostPointer(long address) {
    super(address);
  }

  /** Returns a pointer to an address. */
  static HostPointer of(long address) {
    return new HostPointer(address);
  }

  /** Returns the address. */
  long address() {
    return getNativePointer() + getByteOffset();
  }
}
