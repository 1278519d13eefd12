package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetDeltaStringKernels extends AbstractTestParquetDeltaStringKernels {
  TestHostParquetDeltaStringKernels() {
    super(new HostTarget());
  }
}
