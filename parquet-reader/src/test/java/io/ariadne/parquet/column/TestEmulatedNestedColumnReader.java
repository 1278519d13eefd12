package io.ariadne.parquet.column;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedNestedColumnReader extends AbstractTestNestedColumnReader {
  TestEmulatedNestedColumnReader() {
    super(new EmulatedTarget(), 2, 60);
  }
}
