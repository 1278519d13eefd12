package io.ariadne.parquet.scan;

import io.ariadne.kernel.testing.DeviceTarget;
import java.util.List;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

class TestSimulatedEncodings extends AbstractTestEncodings {
  TestSimulatedEncodings() {
    super(DeviceTarget.simulated(TestSimulatedParquetScan.ANY_ROWS), 150);
  }

  @Override
  List<CompressionCodecName> codecs() {
    return List.of(CompressionCodecName.UNCOMPRESSED, CompressionCodecName.SNAPPY);
  }
}
