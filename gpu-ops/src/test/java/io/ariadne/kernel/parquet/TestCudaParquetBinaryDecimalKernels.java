package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.CudaTarget;

class TestCudaParquetBinaryDecimalKernels extends AbstractTestParquetBinaryDecimalKernels {
  TestCudaParquetBinaryDecimalKernels() {
    super(new CudaTarget());
  }
}
