package io.ariadne.spill.disk;

/** Bytes are written compressed and encrypted, buffered. */
class TestCompressedEncryptedDiskSpillStore extends AbstractTestDiskSpillStore {
  @Override
  DiskSpillOptions options(DiskSpillOptions defaults) {
    return defaults
        .withDirect(false)
        .withEncryption(256)
        .withCompression(DiskSpillOptions.Compression.ALWAYS);
  }
}
