package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.io.LocalFileReader;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Decimals come out as wide as the statistics of their row group ask for. */
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

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private BigInteger largest;

  @Test
  void testNarrowValues() throws IOException {
    for (boolean dictionary : new boolean[] {false, true}) {
      write(BigInteger.valueOf(-2_000_000), dictionary, true);
      check(2, List.of(PhysicalType.I32, PhysicalType.I32, PhysicalType.I32));
    }
  }

  @Test
  void testValuesOf64Bits() throws IOException {
    write(BigInteger.valueOf(1L << 31), true, true);
    check(2, List.of(PhysicalType.I32, PhysicalType.I64, PhysicalType.I64));
  }

  @Test
  void testWideValues() throws IOException {
    write(BigInteger.ONE.shiftLeft(64), false, true);
    check(2, List.of(PhysicalType.I32, PhysicalType.I64, PhysicalType.I128));
  }

  @Test
  void testNothingIsKnown() throws IOException {
    write(BigInteger.TEN, false, false);
    check(2, List.of(PhysicalType.I32, PhysicalType.I64, PhysicalType.I128));
  }

  @Test
  void testDigitsAreAppended() throws IOException {
    write(BigInteger.valueOf(2_000_000), true, true);
    check(5, List.of(PhysicalType.I32, PhysicalType.I32, PhysicalType.I32));
    check(6, List.of(PhysicalType.I64, PhysicalType.I64, PhysicalType.I64));
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
