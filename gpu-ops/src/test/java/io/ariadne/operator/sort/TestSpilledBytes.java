package io.ariadne.operator.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.builder.LongBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.sort.SortDirection;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkOperatorFactory;
import io.ariadne.operator.SinkState;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows that no longer fit memory move what they need and not all that is there: the bytes that
 * leave memory grow with the input, a batch at a time, from none at all.
 */
class TestSpilledBytes {
  private static final Schema ROWS =
      Schema.of(
          new Field("key", PrimitiveType.INT64, false),
          new Field("value", PrimitiveType.INT64, false));
  private static final int BATCH_ROWS = 8000;
  private static final long LIMIT = 16 << 20;
  private static final int FITTING_BATCHES = 90;
  private static final int MOST_BATCHES = 118;
  private static final long MOST_MOVED_BYTES = 1 << 20;

  @TempDir private Path folder;

  /** The pool is full after some 95 batches; each more of them moves no more than a MiB to disk. */
  @Test
  void spillsOnlyWhatIsNeeded() {
    SinkOperatorFactory factory =
        new SortOperatorFactory(ROWS, List.of(new SortColumn(0, SortDirection.ASCENDING)));
    long before = moved(factory, FITTING_BATCHES);
    assertEquals(0, before, "all of it fits");
    for (int batches = FITTING_BATCHES + 1; batches < MOST_BATCHES; batches++) {
      long moved = moved(factory, batches);
      assertTrue(
          moved - before <= MOST_MOVED_BYTES,
          batches + " batches move " + moved + " bytes, one less " + before);
      before = moved;
    }
    assertTrue(before > 2 * MOST_MOVED_BYTES, before + " bytes at the end");
  }

  private long moved(SinkOperatorFactory factory, int batches) {
    MemoryPool pool = MemoryPools.host("host", LIMIT, true);
    pool.keepReserve(LIMIT / 32);
    MemoryPool pageMemory = MemoryPools.host("pages", 64 << 20, true);
    long moved;
    try (PagePool pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 0, 12);
        DiskSpillStore disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
        SpillController controller =
            new SpillController(pool, List.of(disk), new PlanOrderEviction(), 1, 1);
        Backend backend = HostBackend.open();
        SinkOperator sink =
            factory.create(
                new OperatorContext(
                    pool,
                    pool,
                    backend,
                    () -> false,
                    ErrorReplay.PLAIN,
                    controller,
                    controller,
                    2))) {
      SinkState state = sink.newLocal();
      for (int i = 0; i < batches; i++) {
        state.addInput(batch(pool, i));
      }
      state.finish();
      sink.combine(state);
      sink.finish();
      long rows = 0;
      while (!sink.isFinished()) {
        try (RecordBatch batch = sink.getOutput()) {
          rows += batch == null ? 0 : batch.rowCount();
        }
      }
      assertEquals((long) batches * BATCH_ROWS, rows);
      moved = controller.movedBytes();
    }
    pageMemory.close();
    pool.close();
    return moved;
  }

  /** Keys of which no two are alike, far from order. */
  private static RecordBatch batch(MemoryPool pool, int number) {
    try (BatchBuilder builder = new BatchBuilder(ROWS, pool)) {
      for (int i = 0; i < BATCH_ROWS; i++) {
        long row = (long) number * BATCH_ROWS + i;
        ((LongBuilder) builder.column(0)).append(row * 0x9E3779B97F4A7C15L);
        ((LongBuilder) builder.column(1)).append(row);
      }
      return builder.build(0);
    }
  }
}
