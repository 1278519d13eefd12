package io.ariadne.parquet.column;

import io.ariadne.kernel.testing.HostTarget;

class TestHostNestedColumns extends AbstractTestNestedColumns {
  TestHostNestedColumns() {
    super(new HostTarget(), 40, 600);
  }
}
