package io.ariadne.backend.cuda;

import jcuda.driver.CUdeviceptr;

/** A device pointer whose address can be read; JCuda hides it. */
final class DevicePointer extends CUdeviceptr {

  /** Creates a pointer that a driver call fills in. */
  DevicePointer() {}

  private DevicePointer(long address) {
    super(new CUdeviceptr(), address);
  }

  /** Returns a pointer to an address. */
  static DevicePointer of(long address) {
    return new DevicePointer(address);
  }

  /** Returns the address. */
  long address() {
    return getNativePointer() + getByteOffset();
  }
}
