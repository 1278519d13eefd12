package io.ariadne.io;

import io.ariadne.columnar.buffer.MemoryTier;
import java.io.IOException;
import java.util.Set;

/** Opens files of the local file system with positional reads of the Java library. */
public final class LocalReaderProvider implements ByteRangeReaderProvider {
  private static final int PRIORITY = 10;

  @Override
  public String name() {
    return "local";
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  public Support support(OpenRequest request) {
    return request.localPath() == null ? Support.OTHER : Support.by("positional reads");
  }

  @Override
  public Set<MemoryTier> tiers() {
    return Set.of(MemoryTier.HOST, MemoryTier.PINNED);
  }

  @Override
  public ByteRangeReader open(OpenRequest request) throws IOException {
    return LocalFileReader.open(request.localPath());
  }
}
