package io.ariadne.spill.disk;

/** Bytes are written buffered, as it is. */
class TestPlainDiskSpillStore extends AbstractTestDiskSpillStore {
  @Override
  DiskSpillOptions options(DiskSpillOptions defaults) {
    return defaults.withDirect(false).withCompression(DiskSpillOptions.Compression.NEVER);
  }
}
