package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.operator.OperatorContext;
import io.ariadne.parquet.testing.ParquetMrFiles;
import io.ariadne.parquet.testing.WriterOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests columns whose values are converted. */
class TestConvertedColumns {
  private static final int ROWS = 700;
  private static final int SMALL_BITS = 29;
  private static final int LARGE_BITS = 66;
  private static final int FIXED_BYTES = 9;
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message converted {
            required binary small (DECIMAL(9,2));
            optional binary large (DECIMAL(20,3));
            optional fixed_len_byte_array(9) fixed (DECIMAL(20,3));
            optional int64 millis (TIMESTAMP(MILLIS,true));
          }
          """);
  private static final List<Field> FIELDS =
      List.of(
          new Field("small", new DecimalType(9, 2), true),
          new Field("large", new DecimalType(20, 3), true),
          new Field("fixed", new DecimalType(20, 3), true),
          new Field("millis", PrimitiveType.TIMESTAMP_MICROS, true));

  @RegisterExtension final LeakCheck memory = new LeakCheck();
  @TempDir Path folder;

  private final long seed = Long.getLong("ariadne.test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void readsDecimalsInBytesAndMilliseconds() throws IOException {
    for (WriterVersion version : WriterVersion.values()) {
      for (boolean hasDictionary : new boolean[] {false, true}) {
        check(WriterOptions.PLAIN.withPages(version, hasDictionary, 1 + random.nextInt(300)));
      }
    }
  }

  private void check(WriterOptions options) throws IOException {
    List<Group> rows = new ArrayList<>();
    List<List<Object>> expected = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      SimpleGroup row = new SimpleGroup(SCHEMA);
      expected.add(fill(row));
      rows.add(row);
    }
    Path file = folder.resolve("converted.parquet");
    ParquetMrFiles.write(file, SCHEMA, rows, options, Map.of());
    ParquetScanSpec spec =
        new ParquetScanSpec(
            FIELDS.stream().map(ScanColumn::ofFile).toList(),
            null,
            ParquetScanOptions.DEFAULT.withBatchRows(256));
    try (Backend backend = HostBackend.open()) {
      OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
      List<List<Object>> actual = new ScanRun(context).rows(spec, List.of(ScanRun.whole(file)));
      assertEquals(expected, actual, options + " seed " + seed);
    }
  }

  private List<Object> fill(SimpleGroup row) {
    BigInteger small = number(SMALL_BITS);
    row.add("small", Binary.fromConstantByteArray(small.toByteArray()));
    BigInteger large = random.nextInt(5) == 0 ? null : number(LARGE_BITS);
    if (large != null) {
      row.add("large", Binary.fromConstantByteArray(large.toByteArray()));
    }
    BigInteger fixed = random.nextInt(5) == 0 ? null : number(LARGE_BITS);
    if (fixed != null) {
      row.add("fixed", Binary.fromConstantByteArray(widened(fixed)));
    }
    long millis = random.nextLong() >> 20;
    row.add("millis", millis);
    return Arrays.asList(small, large, fixed, millis * 1000);
  }

  private BigInteger number(int bits) {
    BigInteger number = new BigInteger(random.nextInt(4) == 0 ? 6 : bits, random);
    return random.nextBoolean() ? number : number.negate();
  }

  private static byte[] widened(BigInteger number) {
    byte[] bytes = number.toByteArray();
    byte[] wide = new byte[FIXED_BYTES];
    Arrays.fill(wide, (byte) (number.signum() < 0 ? -1 : 0));
    System.arraycopy(bytes, 0, wide, FIXED_BYTES - bytes.length, bytes.length);
    return wide;
  }
}
