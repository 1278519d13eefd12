package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetBinaryKernels extends AbstractTestParquetBinaryKernels {
  TestHostParquetBinaryKernels() {
    super(new HostTarget());
  }
}
