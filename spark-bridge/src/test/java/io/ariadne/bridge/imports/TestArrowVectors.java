package io.ariadne.bridge.imports;

import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that Arrow vectors behind Spark's interface become equal columns, sliced anywhere. */
class TestArrowVectors {
  private static final int ROWS = 1003;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @Test
  void importsValuesAndNulls() {
    try (RootAllocator arrow = new RootAllocator();
        IntVector ints = new IntVector("i", arrow);
        BigIntVector longs = new BigIntVector("l", arrow);
        Float8Vector doubles = new Float8Vector("d", arrow);
        BitVector bits = new BitVector("b", arrow);
        VarCharVector texts = new VarCharVector("s", arrow);
        DecimalVector narrow = new DecimalVector("n", arrow, 12, 2);
        DecimalVector wide = new DecimalVector("w", arrow, 38, 2)) {
      List<List<Object>> expected = new ArrayList<>();
      Random random = new Random(5);
      for (int row = 0; row < ROWS; row++) {
        if (random.nextInt(6) == 0) {
          expected.add(Arrays.asList(null, null, null, null, null, null, null));
          continue;
        }
        String text = "text ".repeat(random.nextInt(6)) + row;
        BigDecimal decimal = BigDecimal.valueOf(random.nextInt(), 2);
        BigDecimal large = decimal.multiply(BigDecimal.TEN.pow(20)).setScale(2);
        ints.setSafe(row, row);
        longs.setSafe(row, -row);
        doubles.setSafe(row, row / 3.0);
        bits.setSafe(row, row & 1);
        texts.setSafe(row, text.getBytes(StandardCharsets.UTF_8));
        narrow.setSafe(row, decimal);
        wide.setSafe(row, large);
        expected.add(List.of(row, (long) -row, row / 3.0, (row & 1) == 1, text, decimal, large));
      }
      check(expected, ints, longs, doubles, bits, texts, narrow, wide);
    }
  }

  private void check(List<List<Object>> expected, FieldVector... vectors) {
    ColumnVector[] columns = new ColumnVector[vectors.length];
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < vectors.length; i++) {
      vectors[i].setValueCount(ROWS);
      columns[i] = new ArrowColumnVector(vectors[i]);
      fields.add(new Field("c" + i, SparkTypes.fromSpark(columns[i].dataType()), true));
    }
    ColumnarBatch batch = new ColumnarBatch(columns, ROWS);
    List<List<Object>> actual = new ArrayList<>();
    try (ColumnarImporter importer =
        new ColumnarImporter(
            List.of(batch, batch).iterator(), new Schema(fields), memory.allocator(), 101)) {
      for (RecordBatch one = importer.next(); one != null; one = importer.next()) {
        actual.addAll(BatchAssertions.rows(one));
        one.close();
      }
    }
    List<List<Object>> twice = new ArrayList<>(expected);
    twice.addAll(expected);
    BatchAssertions.assertRowsInOrder(twice, actual);
  }
}
