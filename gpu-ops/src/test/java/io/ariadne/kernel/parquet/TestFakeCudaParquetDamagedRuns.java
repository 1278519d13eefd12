package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetDamagedRuns extends AbstractTestParquetDamagedRuns {
  TestFakeCudaParquetDamagedRuns() {
    super(new FakeCudaTarget());
  }
}
