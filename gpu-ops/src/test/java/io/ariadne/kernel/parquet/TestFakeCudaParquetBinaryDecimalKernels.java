package io.ariadne.kernel.parquet;

import io.ariadne.kernel.testing.FakeCudaTarget;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TestFakeCudaParquetBinaryDecimalKernels extends AbstractTestParquetBinaryDecimalKernels {
  TestFakeCudaParquetBinaryDecimalKernels() {
    super(new FakeCudaTarget());
  }
}
