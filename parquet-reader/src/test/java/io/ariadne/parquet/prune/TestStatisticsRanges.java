package io.ariadne.parquet.prune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.parquet.metadata.ColumnSelection;
import io.ariadne.parquet.metadata.FileMetadata;
import io.ariadne.parquet.metadata.FooterReader;
import io.ariadne.parquet.metadata.Statistics;
import io.ariadne.parquet.schema.Calendars;
import io.ariadne.parquet.schema.ColumnResolver;
import io.ariadne.parquet.schema.ReadRules;
import io.ariadne.parquet.schema.RebaseMode;
import io.ariadne.parquet.schema.ResolvedColumn;
import io.ariadne.parquet.testing.MemoryFile;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;

/** Tests bounds that no file of parquet-mr has, or whose order a conversion changes. */
class TestStatisticsRanges {
  private static ResolvedColumn.Leaf column(String field, DataType type, RebaseMode mode) {
    try {
      Path file = Files.createTempFile("ranges", ".parquet");
      try {
        ParquetMrFiles.write(
            file,
            MessageTypeParser.parseMessageType("message m { " + field + "; }"),
            List.of(),
            WriterOptions.PLAIN,
            Map.of());
        FileMetadata metadata =
            FooterReader.read(
                new MemoryFile("f", Files.readAllBytes(file)),
                "f",
                ColumnSelection.ALL,
                new TestingAllocator());
        ColumnResolver resolver =
            new ColumnResolver(
                metadata, ReadRules.spark4(false), Calendars.of(metadata, mode, mode, null));
        return (ResolvedColumn.Leaf) resolver.byName(new Field("x", type, true));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ResolvedColumn.Leaf column(String field, DataType type) {
    return column(field, type, RebaseMode.CORRECTED);
  }

  private static byte[] bytes(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
  }

  private static byte[] bytes(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  private static Statistics bounds(byte[] min, byte[] max) {
    return new Statistics(min, max, 0, true, true);
  }

  private static void assertUnknown(ValueRange range) {
    assertNull(range.lower());
    assertNull(range.upper());
    assertTrue(range.hasValues());
  }

  @Test
  void upperBoundOfFloatsIsNan() {
    ResolvedColumn.Leaf column = column("optional double x", PrimitiveType.FLOAT64);
    byte[] one = bytes(Double.doubleToLongBits(1));
    byte[] two = bytes(Double.doubleToLongBits(2));
    ValueRange range = StatisticsRanges.of(column, bounds(one, two), 10);
    assertEquals(1.0, range.lower());
    assertEquals(Double.NaN, range.upper());
    Statistics free = new Statistics(one, two, 0, true, true, true);
    assertEquals(2.0, StatisticsRanges.of(column, free, 10).upper());
  }

  /** Both zeros are equal, so a bound of one zero must not exclude the other. */
  @Test
  void zeroBoundsIncludeBothZeros() {
    byte[] negative = bytes(Double.doubleToRawLongBits(-0.0));
    byte[] positive = bytes(Double.doubleToRawLongBits(0.0));
    byte[] negativeFloat = bytes(Float.floatToRawIntBits(-0.0f));
    byte[] positiveFloat = bytes(Float.floatToRawIntBits(0.0f));
    ResolvedColumn.Leaf wide = column("required double x", PrimitiveType.FLOAT64);
    ResolvedColumn.Leaf narrow = column("required float x", PrimitiveType.FLOAT32);
    for (byte[] min : List.of(negative, positive)) {
      for (byte[] max : List.of(negative, positive)) {
        assertIsZero(StatisticsRanges.of(wide, new Statistics(min, max, 0, true, true, true), 10));
      }
    }
    for (byte[] min : List.of(negativeFloat, positiveFloat)) {
      for (byte[] max : List.of(negativeFloat, positiveFloat)) {
        assertIsZero(
            StatisticsRanges.of(narrow, new Statistics(min, max, 0, true, true, true), 10));
      }
    }
  }

  private static void assertIsZero(ValueRange range) {
    assertTrue(range.isPoint(), range::toString);
    for (Number zero : new Number[] {0.0, -0.0}) {
      assertEquals(ValueRange.ofDouble(zero.doubleValue()), range.lower());
    }
  }

  @Test
  void usesUnsignedBounds() {
    String field = "optional int32 x (INTEGER(32,false))";
    ResolvedColumn.Leaf wide = column(field, PrimitiveType.INT64);
    ValueRange range = StatisticsRanges.of(wide, bounds(bytes(7), bytes(-2)), 10);
    assertEquals(7L, range.lower());
    assertEquals(0xFFFFFFFEL, range.upper());
    ResolvedColumn.Leaf raw = column(field, PrimitiveType.INT32);
    assertUnknown(StatisticsRanges.of(raw, bounds(bytes(7), bytes(-2)), 10));
    assertEquals(8L, StatisticsRanges.of(raw, bounds(bytes(7), bytes(8)), 10).upper());
    ResolvedColumn.Leaf decimal =
        column("optional int64 x (INTEGER(64,false))", new DecimalType(20, 0));
    ValueRange large = StatisticsRanges.of(decimal, bounds(bytes(1L), bytes(-1L)), 10);
    assertEquals(new BigDecimal("18446744073709551615"), large.upper());
  }

  @Test
  void truncatedIntegersAreUnknown() {
    ResolvedColumn.Leaf column = column("optional int32 x", PrimitiveType.INT16);
    assertUnknown(StatisticsRanges.of(column, bounds(bytes(0), bytes(40_000)), 10));
    assertUnknown(StatisticsRanges.of(column, bounds(bytes(-40_000), bytes(0)), 10));
    assertEquals(9L, StatisticsRanges.of(column, bounds(bytes(0), bytes(9)), 10).upper());
  }

  @Test
  void decimalsLargerThanTheirTypeAreUnknown() {
    ResolvedColumn.Leaf column = column("optional int64 x (DECIMAL(10,2))", new DecimalType(12, 4));
    assertUnknown(StatisticsRanges.of(column, bounds(bytes(1L), bytes(Long.MAX_VALUE)), 10));
    ValueRange range = StatisticsRanges.of(column, bounds(bytes(150L), bytes(9_999_999_999L)), 10);
    assertEquals(new BigDecimal("1.50"), range.lower());
    assertEquals(new BigDecimal("99999999.99"), range.upper());
  }

  @Test
  void datesBeforeTheCalendarsAgreeAreUnknown() {
    String field = "optional int32 x (DATE)";
    Statistics old = bounds(bytes(-200_000), bytes(0));
    Statistics modern = bounds(bytes(-141_427), bytes(0));
    for (RebaseMode mode : List.of(RebaseMode.EXCEPTION, RebaseMode.LEGACY)) {
      ResolvedColumn.Leaf column = column(field, PrimitiveType.DATE32, mode);
      assertUnknown(StatisticsRanges.of(column, old, 10));
      assertEquals(-141_427L, StatisticsRanges.of(column, modern, 10).lower());
    }
    ResolvedColumn.Leaf corrected = column(field, PrimitiveType.DATE32);
    assertEquals(-200_000L, StatisticsRanges.of(corrected, old, 10).lower());
  }

  @Test
  void timestampsBeforeTheCalendarsAgreeAreUnknown() {
    String field = "optional int64 x (TIMESTAMP(MICROS,true))";
    Statistics old = bounds(bytes(-2_208_988_800_000_001L), bytes(0L));
    ResolvedColumn.Leaf legacy = column(field, PrimitiveType.TIMESTAMP_MICROS, RebaseMode.LEGACY);
    assertUnknown(StatisticsRanges.of(legacy, old, 10));
    ResolvedColumn.Leaf local = column(field, PrimitiveType.TIMESTAMP_NTZ_MICROS);
    assertEquals(-2_208_988_800_000_001L, StatisticsRanges.of(local, old, 10).lower());
    ResolvedColumn.Leaf millis =
        column("optional int64 x (TIMESTAMP(MILLIS,true))", PrimitiveType.TIMESTAMP_MICROS);
    assertUnknown(StatisticsRanges.of(millis, bounds(bytes(0L), bytes(Long.MAX_VALUE)), 10));
    assertEquals(3000L, StatisticsRanges.of(millis, bounds(bytes(0L), bytes(3L)), 10).upper());
  }

  @Test
  void boundsInTheWrongOrderAreUnknown() {
    ResolvedColumn.Leaf column = column("optional int32 x", PrimitiveType.INT32);
    assertUnknown(StatisticsRanges.of(column, bounds(bytes(5), bytes(4)), 10));
  }

  @Test
  void usesNullCounts() {
    ResolvedColumn.Leaf optional = column("optional int32 x", PrimitiveType.INT32);
    ResolvedColumn.Leaf required = column("required int32 x", PrimitiveType.INT32);
    Statistics withoutNullCount = new Statistics(bytes(1), bytes(2), -1, true, true);
    assertTrue(StatisticsRanges.of(optional, withoutNullCount, 10).hasNulls());
    assertFalse(StatisticsRanges.of(required, withoutNullCount, 10).hasNulls());
    Statistics all = new Statistics(null, null, 10, false, false);
    assertFalse(StatisticsRanges.of(optional, all, 10).hasValues());
    assertTrue(StatisticsRanges.of(optional, all, 11).hasValues());
    assertFalse(StatisticsRanges.of(optional, bounds(bytes(1), bytes(1)), 10).hasNulls());
  }

  @Test
  void bytesInAnotherOrderAreUnknown() {
    ResolvedColumn.Leaf half =
        column("optional fixed_len_byte_array(2) x (FLOAT16)", PrimitiveType.BINARY);
    assertUnknown(StatisticsRanges.of(half, bounds(new byte[] {1, 2}, new byte[] {2, 3}), 10));
    ResolvedColumn.Leaf text = column("optional binary x (STRING)", PrimitiveType.STRING);
    ValueRange range =
        StatisticsRanges.of(text, bounds(new byte[] {0x61}, new byte[] {(byte) 0xC3}), 10);
    assertEquals(new Bytes(new byte[] {(byte) 0xC3}), range.upper());
  }
}
