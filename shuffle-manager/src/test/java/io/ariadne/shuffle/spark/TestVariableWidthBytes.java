package io.ariadne.shuffle.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Bytes of strings and long decimals count, those of integers do not. */
class TestVariableWidthBytes {
  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @Test
  void countsStringsAndLongDecimals() {
    Schema schema =
        RandomBatches.schemaOf(
            List.of(PrimitiveType.STRING, PrimitiveType.INT64, new DecimalType(38, 2)));
    try (BatchBuilder builder = new BatchBuilder(schema, memory.allocator())) {
      for (int row = 0; row < 100; row++) {
        builder.appendRow("abcdefghijklmnop".getBytes(UTF_8), (long) row, BigInteger.valueOf(row));
      }
      try (RecordBatch batch = builder.build(0)) {
        assertEquals(100 * (16 + 16), VariableWidthBytes.of(batch));
      }
    }
  }
}
