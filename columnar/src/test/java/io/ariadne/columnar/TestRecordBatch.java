package io.ariadne.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestRecordBatch {
  private static final Field FIELD = new Field("s", PrimitiveType.STRING, true);

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private MemoryBuffer buffer() {
    return memory.allocator().allocate(64);
  }

  private ColumnVector column(MemoryBuffer data) {
    return new ColumnVector(
        PrimitiveType.STRING,
        PhysicalType.VIEW16,
        1,
        data,
        buffer(),
        ColumnVector.UNKNOWN_NULL_COUNT,
        List.of(new SharedBuffer(buffer())),
        List.of());
  }

  @Test
  void partThatCannotBeClosedLeavesNoOtherOpen() {
    IllegalStateException planned = new IllegalStateException("planned");
    MemoryBuffer broken =
        new MemoryBuffer(
            0,
            0,
            0,
            MemoryTier.HOST,
            released -> {
              throw planned;
            });
    RecordBatch batch =
        new RecordBatch(Schema.of(FIELD, FIELD), 1, List.of(column(broken), column(buffer())), 0);
    assertSame(planned, assertThrows(IllegalStateException.class, batch::close));
    assertEquals(0, memory.allocator().openBufferCount());
  }

  @Test
  void callerOwnsATakenColumn() {
    RecordBatch batch = new RecordBatch(Schema.of(FIELD), 1, List.of(column(buffer())), 7);
    ColumnVector taken = batch.takeColumn(0);
    assertEquals(7, batch.sequence());
    assertEquals(0, batch.sizeInBytes());
    assertThrows(IllegalStateException.class, () -> batch.column(0));
    batch.close();
    assertEquals(192, taken.sizeInBytes());
    taken.close();
  }

  private RecordBatch twoColumns() {
    return new RecordBatch(
        Schema.of(FIELD, FIELD), 1, List.of(column(buffer()), column(buffer())), 7);
  }

  @Test
  void replacesSomeColumnsAndKeepsTheOthers() {
    RecordBatch batch = twoColumns();
    ColumnVector kept = batch.column(0);
    ColumnVector made = column(buffer());
    try (RecordBatch replaced = batch.withReplaced(i -> i == 0 ? null : made)) {
      assertSame(kept, replaced.column(0));
      assertSame(made, replaced.column(1));
      assertEquals(7, replaced.sequence());
      assertEquals(6, memory.allocator().openBufferCount(), "the replaced column is closed");
    }
  }

  @Test
  void staysTheSameBatchWhenAllColumnsStay() {
    try (RecordBatch batch = twoColumns()) {
      assertSame(batch, batch.withReplaced(i -> null));
    }
  }

  @Test
  void isUnchangedWhenAColumnCannotBeReplaced() {
    IllegalStateException planned = new IllegalStateException("planned");
    try (RecordBatch batch = twoColumns()) {
      List<ColumnVector> before = List.of(batch.column(0), batch.column(1));
      IntFunction<ColumnVector> failing =
          i -> {
            if (i == 1) {
              throw planned;
            }
            return column(buffer());
          };
      assertSame(
          planned, assertThrows(IllegalStateException.class, () -> batch.withReplaced(failing)));
      assertEquals(before, List.of(batch.column(0), batch.column(1)));
      assertEquals(6, memory.allocator().openBufferCount(), "what was made is closed");
    }
  }
}
