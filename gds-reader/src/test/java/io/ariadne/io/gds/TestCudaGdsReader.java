package io.ariadne.io.gds;

/** Reads into the memory of a real GPU, with whatever cuFile the machine has. */
class TestCudaGdsReader extends AbstractTestGdsReader {
  private DeviceUnderTest opened;

  @Override
  DeviceUnderTest device() {
    opened = DeviceUnderTest.real();
    System.out.println(opened.storage().description());
    return opened;
  }

  @Override
  DirectStorage.Mode mode() {
    return opened.storage().mode();
  }
}
