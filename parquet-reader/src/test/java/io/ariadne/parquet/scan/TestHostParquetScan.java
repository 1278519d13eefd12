package io.ariadne.parquet.scan;

import io.ariadne.kernel.testing.HostTarget;

class TestHostParquetScan extends AbstractTestParquetScan {
  TestHostParquetScan() {
    super(new HostTarget(), 2500, 25);
  }
}
