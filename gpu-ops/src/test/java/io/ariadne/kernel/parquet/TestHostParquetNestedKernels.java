package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetNestedKernels extends AbstractTestParquetNestedKernels {
  TestHostParquetNestedKernels() {
    super(new HostTarget());
  }
}
