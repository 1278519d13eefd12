package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.ariadne.columnar.buffer.Memory;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.io.ByteRange;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.io.ForwardingReader;
import io.ariadne.io.LocalFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests which reads the end of a file in memory spares. */
class TestMetadataReader {
  private static final int FILE_BYTES = 10_000;
  private static final int TAIL_BYTES = 1_000;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  /** The ranges that were read from the file. */
  private final List<List<Long>> reads = new ArrayList<>();

  private final byte[] content = new byte[FILE_BYTES];

  private MetadataReader open() throws IOException {
    new Random(1).nextBytes(content);
    Path file = folder.resolve("file");
    Files.write(file, content);
    return new MetadataReader(
        new Recorded(LocalFileReader.open(file)), memory.allocator(), TAIL_BYTES);
  }

  @Test
  void rangesInMemoryAreNotReadAgain() throws IOException {
    try (MetadataReader reader = open();
        MemoryBuffer target = memory.allocator().allocate(300)) {
      reader.read(FILE_BYTES - 8, target, 0, 8);
      assertEquals(List.of(List.of((long) FILE_BYTES - TAIL_BYTES)), reads);
      assertFalse(reader.isInMemory());
      reads.clear();
      long inTail = FILE_BYTES - TAIL_BYTES + 10;
      reader.readAll(
          List.of(
              new ByteRange(inTail, target, 0, 100),
              new ByteRange(50, target, 100, 100),
              new ByteRange(700, target, 200, 100)));
      assertEquals(List.of(List.of(50L, 700L)), reads);
      assertContent(target, 0, (int) inTail);
      assertContent(target, 100, 50);
      assertContent(target, 200, 700);
      reads.clear();
      reader.readAll(List.of(new ByteRange(inTail, target, 0, 100)));
      assertEquals(List.of(), reads);
    }
  }

  private void assertContent(MemoryBuffer target, int offset, int position) {
    for (int i = 0; i < 100; i++) {
      assertEquals(content[position + i], Memory.getByte(target.address() + offset + i));
    }
  }

  private final class Recorded extends ForwardingReader {
    Recorded(ByteRangeReader file) {
      super(file);
    }

    @Override
    public void read(long position, MemoryBuffer target, long targetOffset, long length)
        throws IOException {
      reads.add(List.of(position));
      delegate().read(position, target, targetOffset, length);
    }

    @Override
    public void readAll(List<ByteRange> ranges) throws IOException {
      reads.add(ranges.stream().map(ByteRange::position).toList());
      delegate().readAll(ranges);
    }

    @Override
    public void close() throws IOException {
      delegate().close();
    }
  }
}
