package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestFakeCudaParquetSnappyKernels extends AbstractTestParquetSnappyKernels {
  TestFakeCudaParquetSnappyKernels() {
    super(new FakeCudaTarget());
  }
}
