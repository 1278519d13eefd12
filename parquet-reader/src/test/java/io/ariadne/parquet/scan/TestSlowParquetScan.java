package io.ariadne.parquet.scan;

import io.ariadne.kernel.testing.HostTarget;

/** Scans of files that are read ahead. */
class TestSlowParquetScan extends AbstractTestParquetScan {
  TestSlowParquetScan() {
    super(new HostTarget(), 2500, 10);
  }

  @Override
  ScanStorage storage(long seed) {
    return new SlowStorage(seed);
  }
}
