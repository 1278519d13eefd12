package io.ariadne.parquet.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.parquet.testing.MemoryFile;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.RandomGroups;
import io.ariadne.parquet.testing.TestSchemas;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares page headers, page indexes and bloom filters with parquet-mr's. */
class TestPageMetadata {
  private static final int ROWS = 700;

  @TempDir Path folder;
  private final TestingAllocator allocator = new TestingAllocator();

  @AfterEach
  void nothingIsLeft() {
    assertEquals(0, allocator.allocatedBytes());
  }

  static Stream<WriterOptions> options() {
    WriterOptions plain = WriterOptions.PLAIN.withExtras(true, true, true, false);
    return Stream.of(
        plain.withPages(WriterVersion.PARQUET_1_0, true, 20),
        plain.withPages(WriterVersion.PARQUET_1_0, false, 33),
        plain.withPages(WriterVersion.PARQUET_2_0, true, 50).withRowGroupBytes(20_000),
        plain
            .withPages(WriterVersion.PARQUET_2_0, false, 100)
            .withCodec(CompressionCodecName.ZSTD));
  }

  /** Checks one column chunk. */
  private interface ChunkCheck {
    void check(
        MemoryFile file,
        byte[] bytes,
        FileMetadata metadata,
        RowGroup group,
        ColumnChunk chunk,
        ParquetFileReader theirs,
        ColumnChunkMetaData theirChunk)
        throws IOException;
  }

  private void forEachChunk(WriterOptions options, ChunkCheck check) throws IOException {
    for (MessageType schema : List.of(TestSchemas.FLAT, TestSchemas.NESTED)) {
      Path path = folder.resolve("file.parquet");
      RandomGroups groups = new RandomGroups(new Random(17), 60, 0.3);
      ParquetMrFiles.write(path, schema, groups.rows(schema, ROWS), options, Map.of());
      byte[] bytes = Files.readAllBytes(path);
      MemoryFile file = new MemoryFile("file.parquet", bytes);
      FileMetadata metadata =
          FooterReader.read(file, "file.parquet", ColumnSelection.ALL, allocator);
      try (ParquetFileReader theirs = ParquetMrFiles.open(path)) {
        for (RowGroup group : metadata.rowGroups()) {
          for (SchemaNode leaf : metadata.leaves()) {
            check.check(
                file,
                bytes,
                metadata,
                group,
                group.chunk(leaf.leafIndex()),
                theirs,
                theirs.getRowGroups().get(group.ordinal()).getColumns().get(leaf.leafIndex()));
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void pageHeaders(WriterOptions options) throws IOException {
    PageHeader header = new PageHeader();
    forEachChunk(
        options,
        (file, bytes, metadata, group, chunk, theirs, theirChunk) -> {
          int size = (int) chunk.compressedBytes();
          try (MemoryBuffer memory = allocator.allocate(size)) {
            file.read(chunk.startOffset(), memory, 0, size);
            ByteArrayInputStream stream =
                new ByteArrayInputStream(bytes, (int) chunk.startOffset(), size);
            int position = 0;
            long values = 0;
            while (position < size) {
              int available = stream.available();
              org.apache.parquet.format.PageHeader expected = Util.readPageHeader(stream);
              int length = available - stream.available();
              long address = memory.address() + position;
              assertEquals(-1, header.read(address, address + length - 1));
              assertEquals(length, header.read(address, address + size - position));
              values += assertSame(expected, header);
              stream.skip(header.compressedSize());
              position += length + header.compressedSize();
            }
            assertEquals(chunk.valueCount(), values);
          }
        });
  }

  /** Returns the data values of the page. */
  private static long assertSame(org.apache.parquet.format.PageHeader expected, PageHeader header) {
    assertEquals(expected.getCompressed_page_size(), header.compressedSize());
    assertEquals(expected.getUncompressed_page_size(), header.uncompressedSize());
    assertEquals(expected.isSetCrc(), header.hasCrc());
    assertEquals(expected.getCrc(), header.crc());
    switch (expected.getType()) {
      case DATA_PAGE -> {
        assertEquals(PageType.DATA, header.type());
        var page = expected.getData_page_header();
        assertEquals(page.getNum_values(), header.valueCount());
        assertEquals(page.getEncoding().name(), header.encoding().name());
        assertEquals(
            page.getDefinition_level_encoding().name(), header.definitionEncoding().name());
        assertEquals(
            page.getRepetition_level_encoding().name(), header.repetitionEncoding().name());
        return header.valueCount();
      }
      case DATA_PAGE_V2 -> {
        assertEquals(PageType.DATA_V2, header.type());
        var page = expected.getData_page_header_v2();
        assertEquals(page.getNum_values(), header.valueCount());
        assertEquals(page.getNum_nulls(), header.nullCount());
        assertEquals(page.getNum_rows(), header.rowCount());
        assertEquals(page.getEncoding().name(), header.encoding().name());
        assertEquals(page.getDefinition_levels_byte_length(), header.definitionBytes());
        assertEquals(page.getRepetition_levels_byte_length(), header.repetitionBytes());
        assertEquals(page.isIs_compressed(), header.isCompressed());
        return header.valueCount();
      }
      default -> {
        assertEquals(PageType.DICTIONARY, header.type());
        var page = expected.getDictionary_page_header();
        assertEquals(page.getNum_values(), header.valueCount());
        assertEquals(page.getEncoding().name(), header.encoding().name());
        return 0;
      }
    }
  }

  @ParameterizedTest
  @MethodSource("options")
  void pageIndexes(WriterOptions options) throws IOException {
    int[] bounded = new int[1];
    forEachChunk(
        options,
        (file, bytes, metadata, group, chunk, theirs, theirChunk) -> {
          OffsetIndex offsets =
              PageIndexReader.readOffsetIndex(file, metadata, group, chunk, allocator);
          var theirOffsets = theirs.readOffsetIndex(theirChunk);
          assertEquals(theirOffsets.getPageCount(), offsets.pageCount());
          for (int i = 0; i < offsets.pageCount(); i++) {
            assertEquals(theirOffsets.getOffset(i), offsets.offset(i));
            assertEquals(theirOffsets.getCompressedPageSize(i), offsets.lengthInBytes(i));
            assertEquals(theirOffsets.getFirstRowIndex(i), offsets.firstRow(i));
            assertEquals(theirOffsets.getLastRowIndex(i, group.rowCount()) + 1, offsets.endRow(i));
            assertEquals(i, offsets.pageOf(offsets.firstRow(i)));
            assertEquals(i, offsets.pageOf(offsets.endRow(i) - 1));
          }
          var theirIndex = theirs.readColumnIndex(theirChunk);
          if (theirIndex == null) {
            return;
          }
          ColumnIndex index =
              PageIndexReader.readColumnIndex(
                  file, metadata, group, chunk, offsets.pageCount(), allocator);
          assertEquals(offsets.pageCount(), index.pageCount());
          for (int i = 0; i < index.pageCount(); i++) {
            assertEquals(theirIndex.getNullPages().get(i), index.isNullPage(i));
            Statistics page = index.statistics(i);
            assertEquals(theirIndex.getNullCounts().get(i), page.nullCount());
            boolean mayBeNan = chunk.leaf().annotation().kind() == LogicalKind.FLOAT16;
            assertTrue(mayBeNan || page.hasBounds() != index.isNullPage(i), chunk.toString());
            if (page.hasBounds()) {
              bounded[0]++;
              assertArrayEquals(array(theirIndex.getMinValues().get(i)), page.min());
              assertArrayEquals(array(theirIndex.getMaxValues().get(i)), page.max());
            }
          }
        });
    assertTrue(bounded[0] > 100, "pages with bounds: " + bounded[0]);
  }

  private static byte[] array(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  @ParameterizedTest
  @MethodSource("options")
  void bloomFilters(WriterOptions options) throws IOException {
    Random random = new Random(23);
    int[] absent = new int[1];
    forEachChunk(
        options,
        (file, bytes, metadata, group, chunk, theirs, theirChunk) -> {
          if (chunk.bloomFilter() == null) {
            return;
          }
          BloomFilter filter = BloomFilter.read(file, metadata, chunk, allocator);
          var theirFilter = theirs.readBloomFilter(theirChunk);
          for (int i = 0; i < 300; i++) {
            byte[] value = new byte[random.nextInt(i < 100 ? 8 : 100)];
            random.nextBytes(value);
            boolean expected =
                theirFilter.findHash(theirFilter.hash(Binary.fromConstantByteArray(value)));
            assertEquals(expected, filter.mightContain(value));
            absent[0] += expected ? 0 : 1;
          }
          Statistics statistics = chunk.statistics();
          if (statistics.hasBounds() && chunk.leaf().kind() == PhysicalKind.INT64) {
            assertTrue(filter.mightContain(statistics.min()));
            assertTrue(filter.mightContain(statistics.max()));
          }
          long held = allocator.allocatedBytes();
          filter.close();
          assertTrue(held > 0, "the filter's bits are accounted for while it is open");
          assertEquals(0, allocator.allocatedBytes());
        });
    assertTrue(absent[0] > 1000, "absent values: " + absent[0]);
  }

  @ParameterizedTest
  @MethodSource("options")
  void hashes(WriterOptions options) {
    BlockSplitBloomFilter theirs = new BlockSplitBloomFilter(1024);
    Random random = new Random(options.pageRows());
    for (int length = 0; length < 300; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      assertEquals(
          theirs.hash(Binary.fromConstantByteArray(bytes)), XxHash64.hash(bytes), "" + length);
    }
    assertFalse(XxHash64.hash(new byte[1]) == XxHash64.hash(new byte[2]));
  }
}
