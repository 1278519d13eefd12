package io.ariadne.parquet.scan;

import io.ariadne.kernel.testing.HostTarget;
import java.util.List;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

class TestHostEncodings extends AbstractTestEncodings {
  TestHostEncodings() {
    super(new HostTarget(), 150);
  }

  @Override
  List<CompressionCodecName> codecs() {
    return List.of(
        CompressionCodecName.UNCOMPRESSED,
        CompressionCodecName.SNAPPY,
        CompressionCodecName.GZIP,
        CompressionCodecName.ZSTD,
        CompressionCodecName.LZ4,
        CompressionCodecName.LZ4_RAW,
        CompressionCodecName.BROTLI);
  }
}
