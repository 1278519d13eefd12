package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.kernel.testing.DeviceTarget;

/** Columns are decoded and filtered by the GPU's kernels. */
class TestFakeCudaParquetScan extends AbstractTestParquetScan {
  TestFakeCudaParquetScan() {
    super(DeviceTarget.fakeCuda(), 40_000, 3);
  }

  @Override
  void checkUse(ScanRun run) {
    boolean isPruned = run.counter("rowsPrunedByStatistics") > 0; // few rows are left
    assertTrue(isPruned || run.deviceColumns() > 0, "the host has decoded all columns");
  }
}
