package io.ariadne.parquet.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.TestSchemas;
import io.ariadne.parquet.testing.WriterOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.schema.PrimitiveType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares which statistics are trusted with parquet-mr, over many writers and all types. */
class TestStatisticsTrust {
  private static final List<String> WRITERS =
      List.of(
          "parquet-mr version 1.8.0 (build abcd)",
          "parquet-mr version 1.8.0",
          "parquet-mr version 1.7.0 (build abcd)",
          "parquet-mr version 1.16.0 (build x)",
          "parquet-mr version 1.6.0rc3 (build x)",
          "parquet-mr version 1.8.0-SNAPSHOT (build x)",
          "parquet-mr",
          "parquet-mr version",
          "parquet-mr (build x)",
          "impala version 1.0 (build x)",
          "parquet-cpp-arrow version 14.0.0",
          "nonsense",
          "");

  @TempDir Path folder;

  private static byte[] bound(Random random, SchemaNode leaf) {
    int width = leaf.kind().widthInBytes();
    return switch (leaf.kind()) {
      case BOOLEAN -> new byte[] {(byte) random.nextInt(2)};
      case FLOAT -> {
        float[] values = {0f, -0f, Float.NaN, 1f, -7f};
        yield ByteBuffer.allocate(4)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putFloat(values[random.nextInt(values.length)])
            .array();
      }
      case DOUBLE -> {
        double[] values = {0, -0.0, Double.NaN, 1, -7};
        yield ByteBuffer.allocate(8)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putDouble(values[random.nextInt(values.length)])
            .array();
      }
      case FIXED_LEN_BYTE_ARRAY -> random(random, leaf.typeLength());
      case BYTE_ARRAY -> random(random, random.nextInt(5));
      default -> random(random, width);
    };
  }

  private static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void trustsTheSameBoundsAsParquetMr() throws Exception {
    Path file = folder.resolve("empty.parquet");
    ParquetMrFiles.write(file, TestSchemas.FLAT, List.of(), WriterOptions.PLAIN, Map.of());
    FileMetadata metadata =
        MetadataComparison.read(file, ColumnSelection.ALL, new TestingAllocator());
    ParquetMetadataConverter converter = new ParquetMetadataConverter();
    Random random = new Random(41);
    int trustedCount = 0;
    for (int i = 0; i < 20_000; i++) {
      String writer = WRITERS.get(random.nextInt(WRITERS.size()));
      SchemaNode leaf = metadata.leaves().get(random.nextInt(metadata.leaves().size()));
      PrimitiveType type = TestSchemas.FLAT.getColumns().get(leaf.leafIndex()).getPrimitiveType();
      byte[] min = bound(random, leaf);
      byte[] max = random.nextBoolean() ? min : bound(random, leaf);
      boolean isNew = random.nextBoolean();
      long nulls = random.nextInt(5) - 1L;
      var raw =
          isNew
              ? new RawStatistics(null, null, min, max, nulls, true, false)
              : new RawStatistics(min, max, null, null, nulls, false, false);
      var format = new org.apache.parquet.format.Statistics();
      if (isNew) {
        format.setMin_value(min).setMax_value(max);
      } else {
        format.setMin(min).setMax(max);
      }
      if (nulls >= 0) {
        format.setNull_count(nulls);
      }
      Statistics ours = new StatisticsTrust(writer).trusted(leaf, raw, true);
      var theirs = converter.fromParquetStatistics(writer, format, type);
      String what = writer + ", " + leaf + ", new: " + isNew;
      if (theirs.hasNonNullValue()) {
        assertTrue(ours.hasBounds(), what);
        assertArrayEquals(theirs.getMinBytes(), ours.min(), what);
        assertArrayEquals(theirs.getMaxBytes(), ours.max(), what);
        trustedCount++;
      } else {
        assertTrue(!ours.hasBounds(), what);
      }
      assertEquals(nulls, ours.nullCount(), what);
    }
    assertTrue(trustedCount > 5_000, "trusted: " + trustedCount);
  }

  @Test
  void knowsWhichWritersShowNan() {
    assertTrue(new StatisticsTrust("parquet-mr version 1.16.0 (build x)").nanIsBound());
    assertTrue(new StatisticsTrust("parquet-mr version 1.10.1 (build x)").nanIsBound());
    for (String writer :
        List.of(
            "parquet-mr version 1.9.0 (build x)",
            "parquet-mr version 1.18.0 (build x)",
            "parquet-mr version 2.0.0 (build x)",
            "parquet-cpp-arrow version 1.12.0",
            "parquet-mr",
            "")) {
      assertTrue(!new StatisticsTrust(writer).nanIsBound(), writer);
    }
    assertTrue(!new StatisticsTrust(null).nanIsBound());
  }
}
