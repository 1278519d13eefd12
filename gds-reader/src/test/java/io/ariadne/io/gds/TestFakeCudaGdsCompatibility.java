package io.ariadne.io.gds;

/** Reads where the kernel module is not loaded. */
class TestFakeCudaGdsCompatibility extends AbstractTestGdsReader {
  @Override
  DeviceUnderTest device() {
    DeviceUnderTest device = DeviceUnderTest.cuda();
    FakeCuFile.set(FakeCuFile.Option.NVFS_MAJOR, 0);
    FakeCuFile.set(FakeCuFile.Option.NVFS_MINOR, 0);
    return device;
  }

  @Override
  DirectStorage.Mode mode() {
    return DirectStorage.Mode.COMPATIBILITY;
  }
}
