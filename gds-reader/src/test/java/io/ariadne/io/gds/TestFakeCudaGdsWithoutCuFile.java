package io.ariadne.io.gds;

/** Reads where there is no cuFile. */
class TestFakeCudaGdsWithoutCuFile extends AbstractTestGdsReader {
  @Override
  DeviceUnderTest device() {
    DeviceUnderTest device = DeviceUnderTest.cuda();
    System.setProperty(CuFileLibrary.LIBRARY_PROPERTY, "libcufile-missing.so.0");
    return device;
  }

  @Override
  DirectStorage.Mode mode() {
    return DirectStorage.Mode.BOUNCE;
  }
}
