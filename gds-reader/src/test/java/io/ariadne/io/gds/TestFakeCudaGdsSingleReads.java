package io.ariadne.io.gds;

/** Reads with cuFile, one range after the other. */
class TestFakeCudaGdsSingleReads extends AbstractTestGdsReader {
  @Override
  DeviceUnderTest device() {
    DeviceUnderTest device = DeviceUnderTest.cuda();
    FakeCuFile.set(FakeCuFile.Option.FEATURES, 0);
    return device;
  }

  @Override
  DirectStorage.Mode mode() {
    return DirectStorage.Mode.DIRECT;
  }
}
