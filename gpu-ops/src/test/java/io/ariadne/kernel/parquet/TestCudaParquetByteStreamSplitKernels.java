package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetByteStreamSplitKernels extends AbstractTestParquetByteStreamSplitKernels {
  TestCudaParquetByteStreamSplitKernels() {
    super(new CudaTarget());
  }
}
