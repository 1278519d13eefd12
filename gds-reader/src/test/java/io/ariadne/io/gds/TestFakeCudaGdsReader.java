package io.ariadne.io.gds;

/** Reads with batches of cuFile. */
class TestFakeCudaGdsReader extends AbstractTestGdsReader {
  @Override
  TestDevice device() {
    return TestDevice.cuda();
  }

  @Override
  DirectStorage.Mode mode() {
    return DirectStorage.Mode.DIRECT;
  }
}
