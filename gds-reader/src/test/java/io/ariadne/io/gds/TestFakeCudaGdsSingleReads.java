package io.ariadne.io.gds;

/** Reads with cuFile, one range after the other. */
class TestFakeCudaGdsSingleReads extends AbstractTestGdsReader {
  @Override
  TestDevice device() {
    TestDevice device = TestDevice.cuda();
    FakeCuFile.set(FakeCuFile.Option.FEATURES, 0);
    return device;
  }

  @Override
  DirectStorage.Mode mode() {
    return DirectStorage.Mode.DIRECT;
  }
}
