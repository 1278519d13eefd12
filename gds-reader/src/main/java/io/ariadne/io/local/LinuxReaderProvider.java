package io.ariadne.io.local;

import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaderProvider;
import io.ariadne.io.OpenRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Opens files of this machine's file systems through system calls, if the native library can be
 * loaded; otherwise the reader of the Java library opens them. See {@link LinuxFileReader}.
 */
public final class LinuxReaderProvider implements ByteRangeReaderProvider {
  private static final int PRIORITY = 20;

  /** Creates the provider; {@link java.util.ServiceLoader} calls this. */
  public LinuxReaderProvider() {}

  @Override
  public String name() {
    return "linux";
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  public Support support(OpenRequest request) {
    if (request.localPath() == null) {
      return Support.OTHER;
    }
    Optional<String> refusal = LocalStorage.refusal();
    if (refusal.isPresent()) {
      return Support.refused(refusal.get());
    }
    LocalStorage storage = LocalStorage.retained();
    try {
      return Support.by(storage.description());
    } finally {
      storage.release();
    }
  }

  @Override
  public Set<MemoryTier> tiers() {
    return Set.of(MemoryTier.HOST, MemoryTier.PINNED);
  }

  @Override
  public ByteRangeReader open(OpenRequest request) throws IOException {
    return LinuxFileReader.open(request.localPath(), LocalStorage.retained(), request.counters());
  }
}
