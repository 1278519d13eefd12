package io.ariadne.parquet.fuzz;

import io.ariadne.backend.BatchSize;
import io.ariadne.kernel.testing.DeviceTarget;

/** On a device that decodes windows of any size, some of several pages. */
class TestSimulatedFuzzCorpus extends AbstractTestFuzzCorpus {
  TestSimulatedFuzzCorpus() {
    super(DeviceTarget.simulated(new BatchSize(4096, 64, 16 << 20, 8, true, 64, 1)), 2000);
  }
}
