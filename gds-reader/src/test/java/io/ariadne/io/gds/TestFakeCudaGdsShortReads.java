package io.ariadne.io.gds;

/** Reads with a cuFile that gives less than it was asked for. */
class TestFakeCudaGdsShortReads extends AbstractTestGdsReader {
  @Override
  DeviceUnderTest device() {
    DeviceUnderTest device = DeviceUnderTest.cuda();
    FakeCuFile.set(FakeCuFile.Option.READ_LIMIT, 150_001);
    FakeCuFile.set(FakeCuFile.Option.EVENTS_PER_POLL, 1);
    FakeCuFile.set(FakeCuFile.Option.IDLE_POLLS, 20);
    return device;
  }

  @Override
  DirectStorage.Mode mode() {
    return DirectStorage.Mode.DIRECT;
  }
}
