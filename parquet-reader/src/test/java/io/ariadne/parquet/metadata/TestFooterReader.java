package io.ariadne.parquet.metadata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.RandomGroups;
import io.ariadne.parquet.testing.TestSchemas;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TestFooterReader {
  private static final Map<String, String> KEY_VALUES =
      Map.of(
          "org.apache.spark.version", "4.1.3",
          "org.apache.spark.legacyDateTime", "",
          "org.apache.spark.timeZone", "Europe/Berlin",
          "org.apache.spark.sql.parquet.row.metadata", "{\"type\":\"struct\"}",
          "something", "else");

  @TempDir Path folder;
  private final TestingAllocator allocator = new TestingAllocator();

  @AfterEach
  void nothingIsLeft() {
    assertEquals(0, allocator.allocatedBytes());
  }

  static Stream<WriterOptions> options() {
    WriterOptions plain = WriterOptions.PLAIN;
    return Stream.of(
        plain,
        plain.withPages(WriterVersion.PARQUET_2_0, true, 100),
        plain.withPages(WriterVersion.PARQUET_2_0, false, 7),
        plain
            .withPages(WriterVersion.PARQUET_1_0, false, 1000)
            .withCodec(CompressionCodecName.GZIP),
        plain.withCodec(CompressionCodecName.SNAPPY).withRowGroupBytes(20_000),
        plain.withCodec(CompressionCodecName.ZSTD).withExtras(true, true, true, true),
        plain.withExtras(false, false, false, true),
        plain.withExtras(true, false, true, false).withRowGroupBytes(5_000));
  }

  private Path write(MessageType schema, int rows, WriterOptions options) throws IOException {
    Path file = folder.resolve("file.parquet");
    RandomGroups groups = new RandomGroups(new Random(rows), 50, 0.2);
    ParquetMrFiles.write(file, schema, groups.rows(schema, rows), options, KEY_VALUES);
    return file;
  }

  @ParameterizedTest
  @MethodSource("options")
  void sameAsParquetMr(WriterOptions options) throws IOException {
    for (MessageType schema : List.of(TestSchemas.FLAT, TestSchemas.NESTED)) {
      for (int rows : new int[] {0, 1, 2_000}) {
        Path file = write(schema, rows, options);
        FileMetadata metadata = MetadataComparison.read(file, ColumnSelection.ALL, allocator);
        MetadataComparison.assertSame(ParquetMrFiles.footer(file), metadata);
        assertEquals(rows, metadata.rowCount());
      }
    }
  }

  @Test
  void keepsOnlySelectedColumns() throws IOException {
    Path file = write(TestSchemas.NESTED, 500, WriterOptions.PLAIN.withRowGroupBytes(10_000));
    FileMetadata all = MetadataComparison.read(file, ColumnSelection.ALL, allocator);
    ColumnSelection selection = ColumnSelection.of(List.of("NAMES", "deep"), List.of());
    FileMetadata some = MetadataComparison.read(file, selection, allocator);
    assertEquals(all.leafCount(), some.leafCount());
    assertEquals(all.rowCount(), some.rowCount());
    assertEquals(
        List.of("names", "deep"), some.root().children().stream().map(SchemaNode::name).toList());
    assertEquals(4, some.leaves().size());
    assertTrue(some.rowGroups().size() > 1);
    for (SchemaNode leaf : some.leaves()) {
      assertEquals(all.leaves().get(leaf.leafIndex()).path(), leaf.path());
      for (int i = 0; i < some.rowGroups().size(); i++) {
        ColumnChunk expected = all.rowGroups().get(i).chunk(leaf.leafIndex());
        ColumnChunk actual = some.rowGroups().get(i).chunk(leaf.leafIndex());
        assertEquals(expected.startOffset(), actual.startOffset());
        assertEquals(expected.statistics().nullCount(), actual.statistics().nullCount());
        assertEquals(all.rowGroups().get(i).midpoint(), some.rowGroups().get(i).midpoint());
      }
    }
    assertThrows(IllegalArgumentException.class, () -> some.rowGroups().get(0).chunk(0));
    assertTrue(some.weight() < all.weight());
  }

  @Test
  void selectsByFieldId() throws IOException {
    Path file = write(TestSchemas.FLAT, 10, WriterOptions.PLAIN);
    ColumnSelection selection = ColumnSelection.of(List.of(), List.of(7));
    FileMetadata metadata = MetadataComparison.read(file, selection, allocator);
    assertEquals(List.of("i"), metadata.leaves().stream().map(SchemaNode::name).toList());
  }

  @Test
  void assignsRowGroupsToSplitsLikeParquetMr() throws IOException {
    Path file = write(TestSchemas.FLAT, 3_000, WriterOptions.PLAIN.withRowGroupBytes(8_000));
    FileMetadata ours = MetadataComparison.read(file, ColumnSelection.ALL, allocator);
    assertTrue(ours.rowGroups().size() > 5, "row groups: " + ours.rowGroups().size());
    Random random = new Random(5);
    for (int i = 0; i < 50; i++) {
      long start = random.nextInt((int) ours.fileLength());
      long end = start + random.nextInt((int) (ours.fileLength() - start) + 1);
      ParquetReadOptions range =
          ParquetReadOptions.builder(new PlainParquetConfiguration()).withRange(start, end).build();
      try (ParquetFileReader theirs = ParquetFileReader.open(new LocalInputFile(file), range)) {
        List<Long> expected =
            theirs.getRowGroups().stream().map(BlockMetaData::getRowIndexOffset).toList();
        List<Long> actual =
            ours.rowGroups().stream()
                .filter(g -> g.midpoint() >= start && g.midpoint() < end)
                .map(RowGroup::firstRow)
                .toList();
        assertEquals(expected, actual);
      }
    }
  }

  @Test
  void readsFootersLongerThanTheFirstRead() throws IOException {
    Types.MessageTypeBuilder builder = Types.buildMessage();
    for (int i = 0; i < 2_000; i++) {
      builder.optional(PrimitiveTypeName.INT32).named("a_column_with_a_long_name_" + i);
    }
    Path file = write(builder.named("wide"), 3, WriterOptions.PLAIN);
    FileMetadata metadata = MetadataComparison.read(file, ColumnSelection.ALL, allocator);
    MetadataComparison.assertSame(ParquetMrFiles.footer(file), metadata);
    ColumnSelection one = ColumnSelection.of(List.of("a_column_with_a_long_name_1234"), List.of());
    FileMetadata narrow = MetadataComparison.read(file, one, allocator);
    assertEquals(1234, narrow.leaves().get(0).leafIndex());
    assertNotNull(narrow.rowGroups().get(0).chunk(1234));
  }

  /** Writers without key values, such as fastparquet, write a list without an element type. */
  @Test
  void acceptsEmptyListsWithoutType() throws IOException {
    Path file = folder.resolve("untyped.parquet");
    RandomGroups groups = new RandomGroups(new Random(1), 50, 0.2);
    List<Group> rows = groups.rows(TestSchemas.FLAT, 10);
    ParquetMrFiles.write(file, TestSchemas.FLAT, rows, WriterOptions.PLAIN, Map.of());
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int end = bytes.capacity() - 8;
    int length = bytes.getInt(end);
    byte[] keyValues = {0x09, 10, 0x00}; // field 5, whose number takes a separate byte
    byte[] unknown = {0x09, 100, 0x00};
    int added = keyValues.length + unknown.length;
    ByteBuffer longer =
        ByteBuffer.allocate(bytes.capacity() + added).order(ByteOrder.LITTLE_ENDIAN);
    longer.put(bytes.array(), 0, end - 1).put(keyValues).put(unknown).put((byte) 0);
    longer.putInt(length + added).put("PAR1".getBytes(StandardCharsets.US_ASCII));
    Files.write(file, longer.array());
    FileMetadata metadata = MetadataComparison.read(file, ColumnSelection.ALL, allocator);
    MetadataComparison.assertSame(ParquetMrFiles.footer(file), metadata);
    assertEquals(10, metadata.rowCount());
  }

  /** parquet-mr treats a negative number of nulls as missing. */
  @Test
  void negativeNullCountsAreUnknown() throws IOException {
    Path file = write(TestSchemas.FLAT, 10, WriterOptions.PLAIN);
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length - 8;
    int length = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
    var footer = Util.readFileMetaData(new ByteArrayInputStream(bytes, end - length, length));
    for (var chunk : footer.getRow_groups().get(0).getColumns()) {
      chunk.getMeta_data().getStatistics().setNull_count(-7);
    }
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    changed.write(bytes, 0, end - length);
    Util.writeFileMetaData(footer, changed);
    int newLength = changed.size() - (end - length);
    changed.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(newLength).array());
    changed.write("PAR1".getBytes(StandardCharsets.US_ASCII));
    Files.write(file, changed.toByteArray());
    FileMetadata metadata = MetadataComparison.read(file, ColumnSelection.ALL, allocator);
    for (SchemaNode leaf : metadata.leaves()) {
      ColumnChunk chunk = metadata.rowGroups().get(0).chunk(leaf.leafIndex());
      assertFalse(chunk.statistics().hasNullCount(), leaf.toString());
    }
  }

  @Test
  void namesAFileThatIsNotParquet() throws IOException {
    assertCorrupt(new byte[0], "0 bytes");
    assertCorrupt(new byte[11], "11 bytes");
    assertCorrupt(new byte[100], "does not end");
    byte[] noFooter = "PAR1............\1\0\0\0PAR1".getBytes(StandardCharsets.ISO_8859_1);
    assertCorrupt(noFooter, "");
    noFooter[noFooter.length - 6] = 0x7F;
    assertCorrupt(noFooter, "footer of");
    noFooter[noFooter.length - 5] = (byte) 0x80;
    assertCorrupt(noFooter, "footer of");
    byte[] encrypted = Arrays.copyOf(noFooter, noFooter.length);
    encrypted[encrypted.length - 1] = 'E';
    EngineException e = failure(encrypted);
    assertEquals(ErrorCode.UNSUPPORTED, e.code());
    assertTrue(e.getMessage().contains("damaged.parquet"), e.getMessage());
  }

  private void assertCorrupt(byte[] content, String problem) throws IOException {
    EngineException e = failure(content);
    assertEquals(ErrorCode.CORRUPT_DATA, e.code());
    assertTrue(e.getMessage().contains(problem), e.getMessage());
    assertTrue(e.getMessage().contains("damaged.parquet"), e.getMessage());
    assertTrue(e.getMessage().contains("at byte "), e.getMessage());
  }

  private EngineException failure(byte[] content) throws IOException {
    Path file = folder.resolve("damaged.parquet");
    Files.write(file, content);
    return assertThrows(
        EngineException.class, () -> MetadataComparison.read(file, ColumnSelection.ALL, allocator));
  }
}
