package io.ariadne.parquet.scan;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedNestedScan extends AbstractTestNestedScan {
  TestEmulatedNestedScan() {
    super(new EmulatedTarget(), 2);
  }
}
