package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestFakeCudaParquetBinaryKernels extends AbstractTestParquetBinaryKernels {
  TestFakeCudaParquetBinaryKernels() {
    super(new FakeCudaTarget());
  }
}
