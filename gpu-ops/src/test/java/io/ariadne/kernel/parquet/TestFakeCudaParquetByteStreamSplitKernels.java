package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;

class TestFakeCudaParquetByteStreamSplitKernels extends AbstractTestParquetByteStreamSplitKernels {
  TestFakeCudaParquetByteStreamSplitKernels() {
    super(new FakeCudaTarget());
  }
}
