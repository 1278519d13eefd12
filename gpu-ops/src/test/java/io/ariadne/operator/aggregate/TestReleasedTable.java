package io.ariadne.operator.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.builder.LongBuilder;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table is released on request when hardly any memory is free for its runs. */
class TestReleasedTable {
  private static final long LIMIT = 128L << 20;
  private static final long FREE = 1 << 20;
  private static final int BATCH_ROWS = 20_000;
  private static final int GROUPS = 400_000;
  private static final Schema KEYS = Schema.of(new Field("key", PrimitiveType.INT64, false));

  @TempDir private Path folder;

  /** The table takes more than 10 MiB, 1 MiB is free, and 8 MiB are requested. */
  @Test
  void releasesTheTableWithLittleFreeMemory() {
    release(0);
  }

  /** Only the pool's reserve for this purpose is free. */
  @Test
  void releasesTheTableWithinTheReserve() {
    release(2 << 20);
  }

  private void release(long reserve) {
    MemoryPool pool = MemoryPools.host("host", LIMIT, true);
    pool.keepReserve(reserve);
    MemoryPool pageMemory = MemoryPools.host("pages", 64 << 20, true);
    try (PagePool pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 0, 12);
        DiskSpillStore disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
        SpillController controller =
            new SpillController(pool, List.of(disk), new PlanOrderEviction(), 1, 1);
        Backend backend = HostBackend.open();
        SinkOperator sink = factory().create(context(pool, backend, controller));
        HashAggregateState state = (HashAggregateState) sink.newLocal()) {
      for (int first = 0; first < GROUPS; first += BATCH_ROWS) {
        state.addInput(keys(pool, first));
      }
      assertTrue(pool.allocatedBytes() > 10 << 20, pool.state());
      long free = reserve > 0 ? 0 : FREE;
      MemoryBuffer held = pool.allocate(pool.availableBytes() - free);
      assertEquals(free, pool.availableBytes());
      MemoryBuffer wanted = pool.allocate(8 << 20);
      assertTrue(controller.movedBatches() > 1, controller.movedBatches() + " runs moved");
      assertThrows(EngineException.class, () -> pool.allocate(LIMIT), "more than there is");
      wanted.close();
      held.close();
      state.addInput(keys(pool, 0));
      check(state);
    }
    pageMemory.close();
    pool.close();
  }

  /** Checks that every group is there; groups of the batch after the release are there twice. */
  private static void check(HashAggregateState state) {
    List<GroupRun> runs = new ArrayList<>();
    state.take(true, runs);
    Set<Long> keys = new HashSet<>();
    int groups = 0;
    for (GroupRun run : runs) {
      int count = run.groupCount(0, GroupPartitionKernel.PARTITIONS);
      try (GroupRun.Reading reading = run.open()) {
        // A hash, a word for nulls, the key.
        for (int i = 0; i < count; i++) {
          keys.add(reading.buffers().keys().getLong((i * 3L + 2) * Long.BYTES));
        }
      }
      groups += count;
      run.close();
    }
    assertEquals(GROUPS, keys.size());
    assertTrue(groups >= GROUPS && groups <= GROUPS + BATCH_ROWS, groups + " groups");
  }

  private static OperatorContext context(
      MemoryPool pool, Backend backend, SpillController controller) {
    return new OperatorContext(
        pool, pool, backend, () -> false, ErrorReplay.PLAIN, controller, controller, 2);
  }

  private static HashAggregateOperatorFactory factory() {
    List<Expression> keys = List.of(new ColumnReference(0, PrimitiveType.INT64, false));
    return new HashAggregateOperatorFactory(
        true, KEYS, null, keys, List.of(), KEYS, ExpressionError.NO_ORIGIN, GroupLimits.NONE);
  }

  private static RecordBatch keys(MemoryPool pool, int first) {
    try (BatchBuilder builder = new BatchBuilder(KEYS, pool)) {
      for (int i = 0; i < BATCH_ROWS; i++) {
        ((LongBuilder) builder.column(0)).append(first + i);
      }
      return builder.build(0);
    }
  }
}
