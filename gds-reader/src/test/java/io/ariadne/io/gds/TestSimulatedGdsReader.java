package io.ariadne.io.gds;

/** Reads into the memory of a simulated device. */
class TestSimulatedGdsReader extends AbstractTestGdsReader {
  @Override
  TestDevice device() {
    return TestDevice.simulated();
  }

  @Override
  DirectStorage.Mode mode() {
    return DirectStorage.Mode.BOUNCE;
  }
}
