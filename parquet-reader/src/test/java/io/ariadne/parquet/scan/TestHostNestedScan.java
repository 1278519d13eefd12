package io.ariadne.parquet.scan;

import io.ariadne.kernel.testing.HostTarget;

class TestHostNestedScan extends AbstractTestNestedScan {
  TestHostNestedScan() {
    super(new HostTarget(), 30);
  }
}
