package io.ariadne.parquet.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.parquet.codec.Decompressors;
import io.ariadne.parquet.metadata.ColumnSelection;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.FooterReader;
import io.ariadne.parquet.page.PageIo;
import io.ariadne.parquet.page.ReadStatistics;
import io.ariadne.parquet.schema.Calendars;
import io.ariadne.parquet.schema.ColumnResolver;
import io.ariadne.parquet.schema.ReadRules;
import io.ariadne.parquet.schema.RebaseMode;
import io.ariadne.parquet.schema.ResolvedColumn;
import io.ariadne.parquet.testing.MemoryFile;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests dictionaries with an entry that cannot be converted, which is an error only of rows that
 * use it.
 */
class TestUnusedEntries {
  private static final int ROWS = 1000;
  private static final int BAD_ROW = 500;
  private static final int PAGE_ROWS = 100;
  private static final int STORED_BYTES = 17;

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  @Test
  void ignoresUnusedFixedLengthDecimals() throws IOException {
    check("fixed_len_byte_array(17)");
  }

  @Test
  void ignoresUnusedByteArrayDecimals() throws IOException {
    check("binary");
  }

  @Test
  void convertsAWholeDictionary() throws IOException {
    decode(
        file("binary", -1),
        decoder -> {
          assertNotNull(decoder.dictionary());
          checkRows(decoder, 0, ROWS);
        });
  }

  private void check(String kind) throws IOException {
    MemoryFile file = file(kind, BAD_ROW);
    decode(
        file,
        decoder -> {
          assertNull(decoder.dictionary());
          checkRows(decoder, 0, 50);
          checkRows(decoder, 50, 450);
          checkRows(decoder, BAD_ROW + 1, 99);
          checkRows(decoder, 700, 300);
        });
    decode(
        file,
        decoder -> {
          EngineException e =
              assertThrows(EngineException.class, () -> decoder.decode(450, 100, null));
          assertEquals(ErrorCode.CORRUPT_DATA, e.code(), e.toString());
        });
  }

  private MemoryFile file(String kind, int badRow) throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message m { optional " + kind + " value (DECIMAL(38,2)); }");
    List<Group> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      byte[] bytes = new byte[STORED_BYTES];
      bytes[0] = (byte) (i == badRow ? 1 : 0);
      bytes[STORED_BYTES - 1] = (byte) (i % 20);
      SimpleGroup row = new SimpleGroup(schema);
      if (i % 7 != 0) {
        row.add("value", Binary.fromConstantByteArray(bytes));
      }
      rows.add(row);
    }
    Path path = folder.resolve("entries.parquet");
    WriterOptions options =
        WriterOptions.PLAIN.withPages(WriterVersion.PARQUET_1_0, true, PAGE_ROWS);
    ParquetMrFiles.write(path, schema, rows, options, Map.of());
    return new MemoryFile("entries.parquet", Files.readAllBytes(path));
  }

  private void decode(MemoryFile file, Consumer<FlatColumnDecoder> use) throws IOException {
    FileMetadata metadata =
        FooterReader.read(file, "entries.parquet", ColumnSelection.ALL, memory.allocator());
    Calendars calendars = Calendars.of(metadata, RebaseMode.CORRECTED, RebaseMode.CORRECTED, null);
    ResolvedColumn.Leaf leaf =
        (ResolvedColumn.Leaf)
            new ColumnResolver(metadata, ReadRules.spark4(true), calendars)
                .byName(new Field("value", new DecimalType(38, 2), true));
    ReadStatistics statistics = new ReadStatistics();
    try (Backend backend = HostBackend.open();
        Decompressors codecs = new Decompressors();
        DecodeContext context = new DecodeContext(backend, memory.allocator(), statistics)) {
      PageIo io =
          new PageIo(memory.allocator(), codecs, statistics, PageIo.DEFAULT_WINDOW_BYTES, false);
      TestingLeaves leaves = new TestingLeaves(file, metadata, metadata.rowGroups().get(0), io);
      try (FlatColumnDecoder decoder =
          new FlatColumnDecoder(leaves.column(leaf), leaves.pages(leaf.leaf()), context)) {
        use.accept(decoder);
      }
    }
  }

  private static void checkRows(FlatColumnDecoder decoder, int first, int count) {
    try (ColumnVector column = decoder.decode(first, count, null)) {
      ColumnReader reader = new ColumnReader(column);
      for (int row = first; row < first + count; row++) {
        Object expected = row % 7 == 0 ? null : BigInteger.valueOf(row % 20);
        assertEquals(expected, reader.getValue(row - first), "row " + row);
      }
    }
  }
}
