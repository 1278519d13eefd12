package io.ariadne.io.gds;

/** Reads with batches of cuFile. */
class TestFakeCudaGdsReader extends AbstractTestGdsReader {
  @Override
  DeviceUnderTest device() {
    return DeviceUnderTest.cuda();
  }

  @Override
  DirectStorage.Mode mode() {
    return DirectStorage.Mode.DIRECT;
  }
}
