package io.ariadne.spill.disk;

/** Bytes are written compressed. */
class TestCompressedDiskSpillStore extends AbstractTestDiskSpillStore {
  @Override
  DiskSpillOptions options(DiskSpillOptions defaults) {
    return defaults.withCompression(DiskSpillOptions.Compression.ALWAYS);
  }
}
