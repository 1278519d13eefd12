package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetDenseKernels extends AbstractTestParquetDenseKernels {
  TestHostParquetDenseKernels() {
    super(new HostTarget());
  }
}
