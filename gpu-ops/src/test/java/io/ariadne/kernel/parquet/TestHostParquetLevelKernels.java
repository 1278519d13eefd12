package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetLevelKernels extends AbstractTestParquetLevelKernels {
  TestHostParquetLevelKernels() {
    super(new HostTarget());
  }
}
