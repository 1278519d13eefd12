package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetDamagedRuns extends AbstractTestParquetDamagedRuns {
  TestEmulatedParquetDamagedRuns() {
    super(new EmulatedTarget());
  }
}
