package io.ariadne.parquet.scan;

import io.ariadne.kernel.testing.DeviceTarget;

/** Nested columns are decoded on the host beside flat ones on a device. */
class TestSimulatedNestedScan extends AbstractTestNestedScan {
  TestSimulatedNestedScan() {
    super(DeviceTarget.simulated(TestSimulatedParquetScan.ANY_ROWS), 20);
  }
}
