package io.ariadne.bridge.file;

import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ByteRangeReaderProvider;
import io.ariadne.io.OpenRequest;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Opens files of any Hadoop file system ({@link HadoopFileReader}). */
public final class HadoopReaderProvider implements ByteRangeReaderProvider {
  @Override
  public String name() {
    return "hadoop";
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Support support(OpenRequest request) {
    return request
        .storage(FileSystem.class)
        .map(files -> Support.by("streams of " + files.getClass().getName()))
        .orElse(Support.OTHER);
  }

  @Override
  public Set<MemoryTier> tiers() {
    return Set.of(MemoryTier.HOST, MemoryTier.PINNED);
  }

  @Override
  public ByteRangeReader open(OpenRequest request) throws IOException {
    FileSystem files = request.storage(FileSystem.class).orElseThrow();
    return HadoopFileReader.open(
        files, new Path(request.file()), VectoredRead.PATIENCE, request.counters());
  }
}
