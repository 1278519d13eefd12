package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetSpreadKernels extends AbstractTestParquetSpreadKernels {
  TestHostParquetSpreadKernels() {
    super(new HostTarget());
  }
}
