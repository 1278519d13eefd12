package io.ariadne.parquet.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.ByteRangeReader;
import io.ariadne.parquet.testing.ByteDamage;
import io.ariadne.parquet.testing.MemoryFile;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.RandomGroups;
import io.ariadne.parquet.testing.TestSchemas;
import io.ariadne.parquet.testing.WriterOptions;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes every byte of footers, page indexes, bloom filter headers and page headers. The result
 * must be in bounds, or an error that names the file.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TestDamagedMetadata {
  /** Java heap one read of a small damaged file may take. */
  private static final long MAX_ALLOCATION = 2 << 20;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path folder;
  private final TestingAllocator allocator = new TestingAllocator(1 << 20);
  private long cases;
  private long readable;

  @AfterEach
  void nothingIsLeft() {
    assertEquals(0, allocator.allocatedBytes());
  }

  private byte[] file(MessageType schema) throws Exception {
    Path file = folder.resolve("file.parquet");
    RandomGroups groups = new RandomGroups(new Random(3), 20, 0.2);
    WriterOptions options = WriterOptions.PLAIN.withExtras(true, true, true, false);
    ParquetMrFiles.write(file, schema, groups.rows(schema, 60), options, Map.of("key", "value"));
    return Files.readAllBytes(file);
  }

  private static int footerStart(byte[] file) {
    int end = file.length - 8;
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
    return end - length;
  }

  private interface Read {
    void read(ByteRangeReader file) throws Exception;
  }

  private void check(byte[] damaged, String what, Read read) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      read.read(new MemoryFile("damaged.parquet", damaged));
      readable++;
    } catch (EngineException e) {
      boolean isRefusal = e.code() == ErrorCode.CORRUPT_DATA || e.code() == ErrorCode.UNSUPPORTED;
      assertTrue(isRefusal, () -> what + ": " + e);
      assertTrue(e.getMessage().contains("damaged.parquet"), () -> what + ": " + e);
    } catch (Exception e) {
      fail(what, e);
    }
    cases++;
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertTrue(allocated < MAX_ALLOCATION, () -> what + " allocated " + allocated + " bytes");
  }

  private FileMetadata readFooter(ByteRangeReader reader) throws Exception {
    FileMetadata metadata =
        FooterReader.read(reader, "damaged.parquet", ColumnSelection.ALL, allocator);
    for (RowGroup group : metadata.rowGroups()) {
      assertTrue(group.rowCount() >= 0);
      for (SchemaNode leaf : metadata.leaves()) {
        assertTrue(leaf.maxDefinitionLevel() <= 255);
        ColumnChunk chunk = group.chunk(leaf.leafIndex());
        long end = chunk.startOffset() + chunk.compressedBytes();
        assertTrue(chunk.startOffset() >= 0 && chunk.compressedBytes() >= 0);
        assertTrue(end <= metadata.fileLength(), () -> chunk + " in " + metadata.fileLength());
        assertTrue(chunk.valueCount() >= 0);
        assertNotNull(chunk.toString());
      }
    }
    return metadata;
  }

  @Test
  void damagedFootersAreInBoundsOrErrors() throws Exception {
    for (MessageType schema : new MessageType[] {TestSchemas.NESTED, TestSchemas.FLAT}) {
      byte[] bytes = file(schema);
      int start = schema.equals(TestSchemas.FLAT) ? bytes.length - 1500 : footerStart(bytes);
      ByteDamage.everyByte(
          bytes, start, bytes.length, (damaged, what) -> check(damaged, what, this::readFooter));
    }
    assertTrue(cases > 40_000, "cases: " + cases);
    assertTrue(readable > cases / 100 && readable < cases, readable + " of " + cases);
  }

  @Test
  void truncatedFilesAreErrors() throws Exception {
    byte[] bytes = file(TestSchemas.NESTED);
    ByteDamage.everyCut(bytes, (damaged, what) -> check(damaged, what, this::readFooter));
    assertEquals(0, readable);
  }

  @Test
  void damagedPageIndexesAreInBoundsOrErrors() throws Exception {
    byte[] bytes = file(TestSchemas.FLAT);
    FileMetadata metadata = readFooter(new MemoryFile("damaged.parquet", bytes));
    RowGroup group = metadata.rowGroups().get(0);
    for (SchemaNode leaf : metadata.leaves()) {
      ColumnChunk chunk = group.chunk(leaf.leafIndex());
      ByteSpan offsets = chunk.offsetIndex();
      ByteDamage.everyByte(
          bytes,
          (int) offsets.offset(),
          (int) offsets.offset() + offsets.lengthInBytes(),
          (damaged, what) ->
              check(
                  damaged,
                  what,
                  r -> PageIndexReader.readOffsetIndex(r, metadata, group, chunk, allocator)));
      if (chunk.columnIndex() != null) {
        ByteSpan columns = chunk.columnIndex();
        ByteDamage.everyByte(
            bytes,
            (int) columns.offset(),
            (int) columns.offset() + columns.lengthInBytes(),
            (damaged, what) ->
                check(
                    damaged,
                    what,
                    r -> PageIndexReader.readColumnIndex(r, metadata, group, chunk, 1, allocator)));
      }
    }
    assertTrue(readable > 0 && readable < cases, readable + " of " + cases);
  }

  @Test
  void damagedBloomFiltersAreInBoundsOrErrors() throws Exception {
    byte[] bytes = file(TestSchemas.FLAT);
    FileMetadata metadata = readFooter(new MemoryFile("damaged.parquet", bytes));
    for (SchemaNode leaf : metadata.leaves()) {
      ColumnChunk chunk = metadata.rowGroups().get(0).chunk(leaf.leafIndex());
      if (chunk.bloomFilter() != null) {
        int start = (int) chunk.bloomFilter().offset();
        ByteDamage.everyByte(
            bytes,
            start,
            start + 20,
            (damaged, what) ->
                check(
                    damaged,
                    what,
                    r -> {
                      BloomFilter filter = BloomFilter.read(r, metadata, chunk, allocator);
                      if (filter != null) {
                        filter.close();
                      }
                    }));
      }
    }
    assertTrue(readable > 0 && readable < cases, readable + " of " + cases);
  }

  @Test
  void damagedPageHeadersAreInBoundsOrErrors() throws Exception {
    byte[] bytes = file(TestSchemas.FLAT);
    FileMetadata metadata = readFooter(new MemoryFile("damaged.parquet", bytes));
    PageHeader header = new PageHeader();
    try (MemoryBuffer memory = allocator.allocate(200)) {
      for (SchemaNode leaf : metadata.leaves()) {
        int start = (int) metadata.rowGroups().get(0).chunk(leaf.leafIndex()).startOffset();
        byte[] head = Arrays.copyOfRange(bytes, start, start + 200);
        ByteDamage.Visitor visitor =
            (damaged, what) -> {
              memory.putBytes(0, damaged, 0, damaged.length);
              long before = THREADS.getCurrentThreadAllocatedBytes();
              try {
                long length = header.read(memory.address(), memory.address() + damaged.length);
                assertTrue(length >= -1 && length <= damaged.length, what);
                if (length > 0) {
                  assertTrue(header.compressedSize() >= 0 && header.uncompressedSize() >= 0);
                  assertTrue(header.valueCount() >= 0, what);
                  assertTrue(header.definitionBytes() >= 0 && header.repetitionBytes() >= 0);
                }
              } catch (EngineException e) {
                assertEquals(ErrorCode.CORRUPT_DATA, e.code());
              }
              assertTrue(THREADS.getCurrentThreadAllocatedBytes() - before < MAX_ALLOCATION, what);
            };
        ByteDamage.everyByte(head, 0, 60, visitor);
        ByteDamage.everyCut(head, visitor);
      }
    }
  }
}
