package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetSnappyKernels extends AbstractTestParquetSnappyKernels {
  TestHostParquetSnappyKernels() {
    super(new HostTarget());
  }
}
