package io.ariadne.parquet.fuzz;

import io.ariadne.kernel.testing.HostTarget;

class TestHostFuzzCorpus extends AbstractTestFuzzCorpus {
  TestHostFuzzCorpus() {
    super(new HostTarget(), 300);
  }
}
