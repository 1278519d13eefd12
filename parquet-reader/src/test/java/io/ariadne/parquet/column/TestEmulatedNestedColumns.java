package io.ariadne.parquet.column;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedNestedColumns extends AbstractTestNestedColumns {
  TestEmulatedNestedColumns() {
    super(new EmulatedTarget(), 2, 60);
  }
}
