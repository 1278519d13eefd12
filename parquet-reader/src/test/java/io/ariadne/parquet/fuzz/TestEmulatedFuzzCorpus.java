package io.ariadne.parquet.fuzz;

import io.ariadne.kernel.testing.EmulatedTarget;

class TestEmulatedFuzzCorpus extends AbstractTestFuzzCorpus {
  TestEmulatedFuzzCorpus() {
    super(new EmulatedTarget(), 40);
  }
}
