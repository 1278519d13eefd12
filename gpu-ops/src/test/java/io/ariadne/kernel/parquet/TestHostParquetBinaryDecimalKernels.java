package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetBinaryDecimalKernels extends AbstractTestParquetBinaryDecimalKernels {
  TestHostParquetBinaryDecimalKernels() {
    super(new HostTarget());
  }
}
