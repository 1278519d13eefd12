package io.ariadne.parquet.scan;

import io.ariadne.kernel.testing.EmulatedTarget;
import java.util.List;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

class TestEmulatedEncodings extends AbstractTestEncodings {
  TestEmulatedEncodings() {
    super(new EmulatedTarget(), 70);
  }

  @Override
  List<CompressionCodecName> codecs() {
    return List.of(CompressionCodecName.UNCOMPRESSED);
  }
}
