package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetDamagedRuns extends AbstractTestParquetDamagedRuns {
  TestHostParquetDamagedRuns() {
    super(new HostTarget());
  }
}
