package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetDeltaKernels extends AbstractTestParquetDeltaKernels {
  TestHostParquetDeltaKernels() {
    super(new HostTarget());
  }
}
