package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.BatchSize;
import io.ariadne.kernel.testing.DeviceTarget;

/** Columns are decoded and filtered on a device, in windows of any size. */
class TestSimulatedParquetScan extends AbstractTestParquetScan {
  /** As on a GPU, but for windows of few rows. */
  static final BatchSize ANY_ROWS = new BatchSize(4096, 320, 16 << 20, 8, true, 320, 1);

  TestSimulatedParquetScan() {
    super(DeviceTarget.simulated(ANY_ROWS), 2500, 25);
  }

  @Override
  void checkUse(ScanRun run) {
    assertTrue(run.deviceColumns() > 0, "the host has decoded all columns");
  }
}
