package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetConvertKernels extends AbstractTestParquetConvertKernels {
  TestHostParquetConvertKernels() {
    super(new HostTarget());
  }
}
