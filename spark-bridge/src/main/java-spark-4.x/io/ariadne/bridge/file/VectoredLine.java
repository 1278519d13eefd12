package io.ariadne.bridge.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.StreamCapabilities;

/**
 * Hadoop's vectored reads (since 3.3.5), for lines 4.1 and 4.2. Every line has a class of this
 * name with the same methods.
 */
final class VectoredLine {
  private VectoredLine() {}

  /**
   * Returns a stream's vectored reads, or null where the file system does not implement them.
   * Hadoop would then do positioned reads one after the other.
   */
  static VectoredStream of(FSDataInputStream stream) {
    return stream.hasCapability(StreamCapabilities.VECTOREDIO) ? new Stream(stream) : null;
  }

  private record Stream(FSDataInputStream stream) implements VectoredStream {
    @Override
    public int minSeekBytes() {
      return stream.minSeekForVectorReads();
    }

    @Override
    public int maxReadBytes() {
      return stream.maxReadSizeForVectorReads();
    }

    @Override
    public List<CompletableFuture<ByteBuffer>> start(List<Extent> extents) throws IOException {
      List<FileRange> ranges = new ArrayList<>();
      for (Extent extent : extents) {
        ranges.add(FileRange.createFileRange(extent.position(), extent.length()));
      }
      stream.readVectored(ranges, ByteBuffer::allocate);
      List<CompletableFuture<ByteBuffer>> reads = new ArrayList<>();
      for (FileRange range : ranges) {
        CompletableFuture<ByteBuffer> read = range.getData();
        reads.add(read == null ? CompletableFuture.completedFuture(null) : read);
      }
      return reads;
    }
  }
}
