package io.ariadne.pipeline;

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
import io.ariadne.fragment.AbstractTestFragment;
import io.ariadne.fragment.TestingBackend;
import io.ariadne.fragment.admission.InFlightBudget;
import io.ariadne.fragment.control.FragmentLimits;
import io.ariadne.fragment.memory.BatchMemory;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How memory in flight is counted that several batches hold. */
class TestInFlightBatches extends AbstractTestFragment {
  private static final Schema SCHEMA = Schema.of(new Field("s", PrimitiveType.STRING, false));
  private static final int HEAP = 1 << 16;
  private static final int VIEW = 64;

  private final InFlightBatches inFlightBatches =
      new InFlightBatches(
          new FragmentLimits(1_000, HEAP + 10 * VIEW, 1),
          InFlightBudget.fixed(HEAP + 10 * VIEW),
          new BatchQueue(new OperatorContext(runtime.pool(), new TestingBackend(), () -> false)),
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
    assertTrue(
        inFlightBatches.toString().contains(" " + expected + " bytes"), inFlightBatches.toString());
  }

  @Test
  void countsASharedHeapOnceUntilTheLastHolderIsGone() {
    SharedBuffer heap = new SharedBuffer(allocator().allocate(HEAP));
    InFlightBatch split = inFlightBatches.admitFlush();
    for (int i = 1; i <= 9; i++) {
      inFlightBatches.add(split, batch(views(heap.retain())));
      assertBytes(HEAP + i * VIEW);
      assertTrue(inFlightBatches.mayAdmit());
    }
    heap.release();
    inFlightBatches.add(split, batch(views(new SharedBuffer(allocator().allocate(HEAP)))));
    assertBytes(2 * HEAP + 10 * VIEW);
    assertFalse(inFlightBatches.mayAdmit());
    for (int i = 8; i >= 0; i--) {
      inFlightBatches.poll(true).close();
      assertBytes((i > 0 ? 2 : 1) * HEAP + (i + 1) * VIEW);
    }
    inFlightBatches.poll(true).close();
    assertBytes(0);
  }

  @Test
  void countsADictionaryAndItsHeapOnceBesideADriversInput() {
    SharedBuffer heap = new SharedBuffer(allocator().allocate(HEAP));
    Dictionary dictionary = new Dictionary(views(heap));
    List<RecordBatch> inputs = new ArrayList<>();
    InFlightBatch first = inFlightBatches.admitFlush();
    InFlightBatch second = inFlightBatches.admitFlush();
    for (InFlightBatch inFlight : List.of(first, second)) {
      inputs.add(coded(dictionary));
      inFlight.setInputMemory(BatchMemory.of(inputs.get(inputs.size() - 1)));
      inFlightBatches.add(inFlight, coded(dictionary));
    }
    // the batches may be gone before their memory is taken out
    dictionary.release();
    inputs.forEach(RecordBatch::close);
    assertBytes(HEAP + 5 * VIEW);
    first.setInputMemory(BatchMemory.NONE);
    inFlightBatches.complete(second);
    assertBytes(HEAP + 3 * VIEW);
    inFlightBatches.poll(true).close();
    assertBytes(HEAP + 2 * VIEW);
    Closer closer = new Closer();
    inFlightBatches.close(closer);
    closer.rethrow();
    assertBytes(0);
  }

  @Test
  void doesNotCountRemovedInput() {
    InFlightBatch inFlight =
        inFlightBatches.admit(batch(views(new SharedBuffer(allocator().allocate(HEAP)))));
    assertBytes(HEAP + VIEW);
    inFlightBatches.drop(inFlightBatches.remove(inFlight));
    assertBytes(0);
    Closer closer = new Closer();
    inFlightBatches.close(closer);
    closer.rethrow();
    assertTrue(inFlightBatches.isEmpty());
    assertEquals(1, inFlightBatches.nextSequence());
  }
}
