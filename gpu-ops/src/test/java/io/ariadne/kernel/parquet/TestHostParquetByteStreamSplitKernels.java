package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetByteStreamSplitKernels extends AbstractTestParquetByteStreamSplitKernels {
  TestHostParquetByteStreamSplitKernels() {
    super(new HostTarget());
  }
}
