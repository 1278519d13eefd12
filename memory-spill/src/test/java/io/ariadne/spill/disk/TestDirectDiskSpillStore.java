package io.ariadne.spill.disk;

/** Bytes go around the page cache, compressed when it pays. */
class TestDirectDiskSpillStore extends AbstractTestDiskSpillStore {
  @Override
  DiskSpillOptions options(DiskSpillOptions defaults) {
    return defaults;
  }
}
