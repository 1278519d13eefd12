package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedParquetByteStreamSplitKernels extends AbstractTestParquetByteStreamSplitKernels {
  TestEmulatedParquetByteStreamSplitKernels() {
    super(new EmulatedTarget());
  }
}
