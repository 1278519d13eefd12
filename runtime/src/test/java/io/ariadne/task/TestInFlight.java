package io.ariadne.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.SharedBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How memory in flight is counted that several batches hold. */
class TestInFlight extends AbstractTestFragment {
  private static final Schema SCHEMA = Schema.of(new Field("s", PrimitiveType.STRING, false));
  private static final int HEAP = 1 << 16;
  private static final int VIEW = 64;

  private final InFlight inFlight =
      new InFlight(
          new FragmentLimits(1_000, HEAP + 10 * VIEW, 1),
          new WaitingRoom(new OperatorContext(runtime.pool(), new TestingBackend(), () -> false)),
          () -> true);

  private BufferAllocator allocator() {
    return runtime.pool();
  }

  private ColumnVector views(SharedBuffer heap) {
    return new ColumnVector(
        PrimitiveType.STRING,
        PhysicalType.VIEW16,
        1,
        allocator().allocateZeroed(VIEW),
        null,
        0,
        List.of(heap),
        List.of());
  }

  private RecordBatch batch(ColumnVector column) {
    return new RecordBatch(SCHEMA, 1, List.of(column), 0);
  }

  private RecordBatch coded(Dictionary dictionary) {
    return batch(
        ColumnVector.ofDictionary(
            dictionary.retain(), 1, allocator().allocateZeroed(VIEW), null, 0));
  }

  private void assertBytes(long expected) {
    assertTrue(inFlight.toString().contains(" " + expected + " bytes"), inFlight.toString());
  }

  @Test
  void testSharedHeapCountsOnceAndFullyUntilTheLastHolderIsGone() {
    SharedBuffer heap = new SharedBuffer(allocator().allocate(HEAP));
    Admission split = inFlight.admitFlush();
    for (int i = 1; i <= 9; i++) {
      inFlight.add(split, batch(views(heap.retain())));
      assertBytes(HEAP + i * VIEW);
      assertTrue(inFlight.hasRoom());
    }
    heap.release();
    inFlight.add(split, batch(views(new SharedBuffer(allocator().allocate(HEAP)))));
    assertBytes(2 * HEAP + 10 * VIEW);
    assertFalse(inFlight.hasRoom());
    for (int i = 8; i >= 0; i--) {
      inFlight.poll(true).close();
      assertBytes((i > 0 ? 2 : 1) * HEAP + (i + 1) * VIEW);
    }
    inFlight.poll(true).close();
    assertBytes(0);
  }

  @Test
  void testDictionaryWithItsHeapCountsOnceBesideInputOfALane() {
    SharedBuffer heap = new SharedBuffer(allocator().allocate(HEAP));
    Dictionary dictionary = new Dictionary(views(heap));
    List<RecordBatch> inputs = new ArrayList<>();
    Admission first = inFlight.admitFlush();
    Admission second = inFlight.admitFlush();
    for (Admission admission : List.of(first, second)) {
      inputs.add(coded(dictionary));
      admission.setInputMemory(BatchMemory.of(inputs.get(inputs.size() - 1)));
      inFlight.add(admission, coded(dictionary));
    }
    // the batches may be gone before their memory is taken out
    dictionary.release();
    inputs.forEach(RecordBatch::close);
    assertBytes(HEAP + 5 * VIEW);
    first.setInputMemory(BatchMemory.NONE);
    inFlight.complete(second);
    assertBytes(HEAP + 3 * VIEW);
    inFlight.poll(true).close();
    assertBytes(HEAP + 2 * VIEW);
    Closer closer = new Closer();
    inFlight.close(closer);
    closer.rethrow();
    assertBytes(0);
  }

  @Test
  void testInputThatIsTakenOutCountsNoMore() {
    Admission admission =
        inFlight.admit(batch(views(new SharedBuffer(allocator().allocate(HEAP)))));
    assertBytes(HEAP + VIEW);
    inFlight.drop(inFlight.remove(admission));
    assertBytes(0);
    Closer closer = new Closer();
    inFlight.close(closer);
    closer.rethrow();
    assertTrue(inFlight.isEmpty());
    assertEquals(1, inFlight.nextSequence());
  }
}
