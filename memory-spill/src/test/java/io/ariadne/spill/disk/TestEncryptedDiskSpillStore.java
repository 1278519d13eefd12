package io.ariadne.spill.disk;

/** Bytes are written encrypted. */
class TestEncryptedDiskSpillStore extends AbstractTestDiskSpillStore {
  @Override
  DiskSpillOptions options(DiskSpillOptions defaults) {
    return defaults.withEncryption(128).withCompression(DiskSpillOptions.Compression.NEVER);
  }
}
