package io.ariadne.parquet.column;

import io.ariadne.kernel.testing.HostTarget;

class TestHostNestedColumnReader extends AbstractTestNestedColumnReader {
  TestHostNestedColumnReader() {
    super(new HostTarget(), 40, 600);
  }
}
