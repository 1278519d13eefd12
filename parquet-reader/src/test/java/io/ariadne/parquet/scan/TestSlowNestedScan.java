package io.ariadne.parquet.scan;

import io.ariadne.kernel.testing.HostTarget;

/** Scans of files that are read ahead. */
class TestSlowNestedScan extends AbstractTestNestedScan {
  TestSlowNestedScan() {
    super(new HostTarget(), 12);
  }

  @Override
  ScanStorage storage(long seed) {
    return new SlowStorage(seed);
  }
}
