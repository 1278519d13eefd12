package io.ariadne.io.gds;

/** Reads into the memory of a simulated device. */
class TestSimulatedGdsReader extends AbstractTestGdsReader {
  @Override
  DeviceUnderTest device() {
    return DeviceUnderTest.simulated();
  }

  @Override
  DirectStorage.Mode mode() {
    return DirectStorage.Mode.BOUNCE;
  }
}
