package io.ariadne.parquet.scan;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetScan extends AbstractTestParquetScan {
  TestEmulatedParquetScan() {
    super(new EmulatedTarget(), 300, 10);
  }
}
