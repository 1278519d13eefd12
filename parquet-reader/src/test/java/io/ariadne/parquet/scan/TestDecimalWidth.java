package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.io.LocalFileReader;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.parquet.prune.FilterPushdown;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Util;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that decimals are as wide as the statistics of their row group require. */
class TestDecimalWidth {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message m {
            optional int32 i (DECIMAL(9,2));
            optional int64 l (DECIMAL(18,2));
            optional fixed_len_byte_array(16) f (DECIMAL(38,2));
          }
          """);
  private static final int ROWS = 300;
  private static final int STORED_BYTES = 16;

  /** Without statistics, and without those of decimals. */
  private static final List<FilterPushdown> UNUSED =
      List.of(
          FilterPushdown.NONE, new FilterPushdown(FilterPushdown.ALL.levels(), true, true, false));

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private BigInteger largest;

  @Test
  void decodesSmallDecimalsTo32Bits() throws IOException {
    for (boolean dictionary : new boolean[] {false, true}) {
      write(BigInteger.valueOf(-2_000_000), dictionary, true);
      check(2, List.of(PhysicalType.I32, PhysicalType.I32, PhysicalType.I32));
    }
  }

  @Test
  void decodesLargerDecimalsTo64Bits() throws IOException {
    write(BigInteger.valueOf(1L << 31), true, true);
    check(2, List.of(PhysicalType.I32, PhysicalType.I64, PhysicalType.I64));
  }

  @Test
  void decodesWideDecimalsTo128Bits() throws IOException {
    write(BigInteger.ONE.shiftLeft(64), false, true);
    check(2, List.of(PhysicalType.I32, PhysicalType.I64, PhysicalType.I128));
  }

  @Test
  void usesTheTypesWidthWithoutStatistics() throws IOException {
    write(BigInteger.TEN, false, false);
    check(2, List.of(PhysicalType.I32, PhysicalType.I64, PhysicalType.I128));
  }

  @Test
  void countsAppendedDigits() throws IOException {
    write(BigInteger.valueOf(2_000_000), true, true);
    check(5, List.of(PhysicalType.I32, PhysicalType.I32, PhysicalType.I32));
    check(6, List.of(PhysicalType.I64, PhysicalType.I64, PhysicalType.I64));
  }

  @Test
  void rejectsValuesBeyondWrongStatistics() throws IOException {
    for (WriterVersion version : WriterVersion.values()) {
      for (boolean dictionary : new boolean[] {false, true}) {
        for (String column : List.of("l", "f")) {
          for (long beyond : new long[] {(1L << 32) + 5, -(1L << 32) - 5}) {
            String what = version + ", dictionary " + dictionary + ", " + column + ": " + beyond;
            writeColumn(column, beyond, version, dictionary);
            assertEquals(BigInteger.valueOf(beyond), readColumn(column).get(17), what);
            stateBounds(column, BigInteger.ZERO, BigInteger.TEN);
            EngineException e = assertThrows(EngineException.class, () -> readColumn(column), what);
            for (FilterPushdown unused : UNUSED) {
              List<Object> values = readColumn(column, unused);
              assertEquals(BigInteger.valueOf(beyond), values.get(17), what);
            }
            assertEquals(ErrorCode.CORRUPT_DATA, e.code(), what);
            assertTrue(e.getMessage().contains(column), e.toString());
          }
        }
      }
    }
  }

  private static MessageType schemaOf(String column) {
    return MessageTypeParser.parseMessageType(
        switch (column) {
          case "l" -> "message m { required int64 l (DECIMAL(18,2)); }";
          default -> "message m { required fixed_len_byte_array(16) f (DECIMAL(38,2)); }";
        });
  }

  private static byte[] stored(String column, BigInteger value) {
    if (column.equals("l")) {
      return ByteBuffer.allocate(Long.BYTES)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putLong(value.longValueExact())
          .array();
    }
    byte[] bytes = value.toByteArray();
    byte[] stored = new byte[STORED_BYTES];
    Arrays.fill(stored, (byte) (bytes[0] < 0 ? -1 : 0));
    System.arraycopy(bytes, 0, stored, STORED_BYTES - bytes.length, bytes.length);
    return stored;
  }

  /** Writes a column of small decimals and one decimal that is not small. */
  private void writeColumn(String column, long beyond, WriterVersion version, boolean dictionary)
      throws IOException {
    MessageType schema = schemaOf(column);
    List<Group> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      SimpleGroup row = new SimpleGroup(schema);
      BigInteger value = BigInteger.valueOf(i == 17 ? beyond : i % 10);
      if (column.equals("l")) {
        row.add(column, value.longValueExact());
      } else {
        row.add(column, Binary.fromConstantByteArray(stored(column, value)));
      }
      rows.add(row);
    }
    WriterOptions options = WriterOptions.PLAIN.withPages(version, dictionary, 100);
    ParquetMrFiles.write(folder.resolve("decimals.parquet"), schema, rows, options, Map.of());
  }

  private List<Object> readColumn(String column) throws IOException {
    return readColumn(column, FilterPushdown.ALL);
  }

  private List<Object> readColumn(String column, FilterPushdown pushdown) throws IOException {
    DecimalType type = new DecimalType(column.equals("l") ? 18 : 38, 2);
    List<Field> fields = List.of(new Field(column, type, true));
    ParquetScanSpec spec =
        new ParquetScanSpec(
            fields.stream().map(ScanColumn::ofFile).toList(),
            null,
            ParquetScanOptions.DEFAULT.withPushdown(pushdown));
    try (Backend backend = HostBackend.open()) {
      OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
      Path file = folder.resolve("decimals.parquet");
      return new ScanRun(context)
          .rows(spec, List.of(ScanRun.whole(file))).stream().map(row -> row.get(0)).toList();
    }
  }

  /** Makes the footer state other bounds. */
  private void stateBounds(String column, BigInteger min, BigInteger max) throws IOException {
    Path file = folder.resolve("decimals.parquet");
    byte[] bytes = Files.readAllBytes(file);
    int lengthAt = bytes.length - 2 * Integer.BYTES;
    int start = lengthAt - ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(lengthAt);
    FileMetaData footer =
        Util.readFileMetaData(new ByteArrayInputStream(bytes, start, lengthAt - start));
    Statistics statistics =
        footer.getRow_groups().get(0).getColumns().get(0).getMeta_data().getStatistics();
    statistics.unsetMin();
    statistics.unsetMax();
    statistics.setMin_value(stored(column, min));
    statistics.setMax_value(stored(column, max));
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    written.write(bytes, 0, start);
    Util.writeFileMetaData(footer, written);
    int length = written.size() - start;
    written.writeBytes(
        ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(length).array());
    written.write(bytes, lengthAt + Integer.BYTES, Integer.BYTES);
    Files.write(file, written.toByteArray());
  }

  private static BigInteger value(BigInteger largest, int row, int bits) {
    BigInteger value = row == 17 ? largest : BigInteger.valueOf(row % 30 - 15);
    return value.bitLength() < bits ? value : BigInteger.valueOf(1L << 33);
  }

  private void write(BigInteger largestValue, boolean dictionary, boolean statistics)
      throws IOException {
    largest = largestValue;
    List<Group> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      SimpleGroup row = new SimpleGroup(SCHEMA);
      if (i % 11 != 3) {
        row.add("i", intValue(i));
        row.add("l", value(largest, i, Long.SIZE).longValueExact());
        byte[] bytes = value(largest, i, Byte.SIZE * STORED_BYTES).toByteArray();
        byte[] stored = new byte[STORED_BYTES];
        Arrays.fill(stored, (byte) (bytes[0] < 0 ? -1 : 0));
        System.arraycopy(bytes, 0, stored, STORED_BYTES - bytes.length, bytes.length);
        row.add("f", Binary.fromConstantByteArray(stored));
      }
      rows.add(row);
    }
    WriterOptions options =
        WriterOptions.PLAIN
            .withPages(WriterVersion.PARQUET_1_0, dictionary, 100)
            .withExtras(false, statistics, false, false);
    ParquetMrFiles.write(folder.resolve("decimals.parquet"), SCHEMA, rows, options, Map.of());
  }

  private int intValue(int row) {
    BigInteger value = value(largest, row, Long.SIZE);
    return value.bitLength() < 30 ? value.intValueExact() : row;
  }

  private void check(int scale, List<PhysicalType> layouts) throws IOException {
    int more = scale - 2;
    List<Field> fields =
        List.of(
            new Field("i", new DecimalType(9 + more, scale), true),
            new Field("l", new DecimalType(18 + more, scale), true),
            new Field("f", new DecimalType(38, 2), true));
    if (more > 0) {
      fields = fields.subList(0, 2);
    }
    ParquetScanSpec spec =
        new ParquetScanSpec(
            fields.stream().map(ScanColumn::ofFile).toList(), null, ParquetScanOptions.DEFAULT);
    Path file = folder.resolve("decimals.parquet");
    int rows = 0;
    try (Backend backend = HostBackend.open();
        SplitSource source =
            ParquetSplitSource.factory(
                    spec, List.of(ScanRun.whole(file)), slice -> LocalFileReader.open(file))
                .create(
                    new OperatorContext(memory.allocator(), backend, () -> false),
                    name -> new LongAdder());
        Split split = source.next()) {
      for (RecordBatch batch = split.next(); batch != null; batch = split.next()) {
        try (RecordBatch read = batch) {
          for (int column = 0; column < fields.size(); column++) {
            assertEquals(layouts.get(column), read.column(column).valueLayout(), "" + column);
            compare(new ColumnReader(read.column(column)), column, rows, read.rowCount(), more);
          }
          rows += read.rowCount();
        }
      }
    }
    assertEquals(ROWS, rows);
  }

  private void compare(ColumnReader reader, int column, int first, int count, int more) {
    for (int i = 0; i < count; i++) {
      int row = first + i;
      BigInteger stored =
          column == 0
              ? BigInteger.valueOf(intValue(row))
              : value(largest, row, column == 1 ? Long.SIZE : Byte.SIZE * STORED_BYTES);
      Object expected = row % 11 == 3 ? null : stored.multiply(BigInteger.TEN.pow(more));
      assertEquals(expected, reader.getValue(i), "column " + column + " row " + row);
    }
  }
}
