package io.ariadne.rules.exec.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestRangeSource {
  private static final int BATCH_ROWS = 4;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private long read;

  @Test
  void yieldsBatchesInOrder() {
    assertEquals(
        List.of(List.of(10L, 7L, 4L, 1L), List.of(-2L, -5L, -8L, -11L), List.of(-14L)),
        read(new RangeSource.Values(10, -3, 9)));
    assertEquals(9, read);
    assertEquals(List.of(List.of(5L)), read(new RangeSource.Values(5, 100, 1)));
  }

  /** What lies behind the last value need not be a long. */
  @Test
  void reachesTheEndsOfLongs() {
    assertEquals(
        List.of(List.of(Long.MAX_VALUE - 1, Long.MAX_VALUE)),
        read(new RangeSource.Values(Long.MAX_VALUE - 1, 1, 2)));
    assertEquals(
        List.of(List.of(Long.MIN_VALUE, 0L)),
        read(new RangeSource.Values(Long.MIN_VALUE, Long.MIN_VALUE, 2)));
  }

  @Test
  void emptyRangeYieldsNothing() {
    assertEquals(List.of(), read(new RangeSource.Values(1, 1, 0)));
  }

  @Test
  void yieldsNothingAfterClose() {
    RangeSource source = source(new RangeSource.Values(0, 1, 100));
    source.next().close();
    source.close();
    assertNull(source.next());
  }

  private List<List<Long>> read(RangeSource.Values values) {
    List<List<Long>> batches = new ArrayList<>();
    try (RangeSource source = source(values)) {
      for (RecordBatch batch = source.next(); batch != null; batch = source.next()) {
        assertEquals(batches.size(), batch.sequence());
        batches.add(valuesOf(batch));
        batch.close();
      }
    }
    return batches;
  }

  private static List<Long> valuesOf(RecordBatch batch) {
    return LongStream.range(0, batch.rowCount())
        .mapToObj(row -> batch.column(0).data().getLong(row * Long.BYTES))
        .toList();
  }

  private RangeSource source(RangeSource.Values values) {
    Schema schema = new Schema(List.of(new Field("id", PrimitiveType.INT64, false)));
    return new RangeSource(values, schema, memory.allocator(), BATCH_ROWS, rows -> read += rows);
  }
}
