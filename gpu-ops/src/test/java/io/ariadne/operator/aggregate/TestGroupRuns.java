package io.ariadne.operator.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryTier;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.builder.LongBuilder;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.spill.EagerSpillSpace;
import io.ariadne.spill.SpillSpace;
import io.ariadne.testing.LongTest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The memory of an aggregation depends on its groups, not on its rows. */
class TestGroupRuns {
  private static final int GROUPS = 2_500;
  private static final int BATCHES = 100;
  private static final int BATCH_ROWS = 1_000;
  private static final GroupLimits LIMITS =
      new GroupLimits(64, Long.MAX_VALUE, 100_000, Long.MAX_VALUE);

  /** More than a table takes, and its input. */
  private static final long TABLE_BYTES = 1 << 20;

  private static final Schema KEYS = Schema.of(new Field("key", PrimitiveType.INT64, false));

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private long mostOnDisk;
  private final Random random = new Random(Long.getLong("ariadne.test.seed", 0L));

  @Test
  void mergesRunsOfTheSameGroups() {
    // A group takes at least 32 bytes; without merging there would be nearly one group per row.
    long half = BATCHES * BATCH_ROWS * 16L;
    assertEquals(GROUPS, groups(() -> random.nextInt(GROUPS), half));
  }

  /** A merge stops after its first partitions and is tried again when there are more runs. */
  @Test
  void keepsRunsOfDistinctGroups() {
    long[] next = {0};
    assertEquals(BATCHES * BATCH_ROWS, groups(() -> next[0]++, Long.MAX_VALUE));
  }

  /** The first runs have mostly distinct groups; the same groups recur later. */
  @Test
  void mergesGroupsThatRecur() {
    int different = BATCHES * BATCH_ROWS / 4;
    long[] next = {0};
    assertEquals(different, groups(() -> next[0]++ % different, Long.MAX_VALUE));
  }

  /** Memory is always scarce: runs are repartitioned and spilled, so few are in memory at once. */
  @Test
  @LongTest
  void mergesSpilledRuns(@TempDir Path folder) {
    try (EagerSpillSpace disk = new EagerSpillSpace(folder)) {
      assertEquals(GROUPS, groups(() -> random.nextInt(GROUPS), TABLE_BYTES, disk));
    }
    // The disk has the groups of a few tables: far less than one group per row.
    assertTrue(mostOnDisk < BATCHES * BATCH_ROWS * 16L, () -> mostOnDisk + " bytes");
    long[] next = {0};
    try (EagerSpillSpace disk = new EagerSpillSpace(folder)) {
      assertEquals(BATCHES * BATCH_ROWS, groups(() -> next[0]++, TABLE_BYTES, disk));
    }
  }

  /** Several threads merge ranges of spilled runs and repartition different runs meanwhile. */
  @Test
  void mergesRangesOnSeveralThreads(@TempDir Path folder) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (EagerSpillSpace disk = new EagerSpillSpace(folder);
        Backend backend = HostBackend.open();
        SinkOperator sink = open(backend, disk)) {
      SinkState local = sink.newLocal();
      for (int i = 0; i < BATCHES; i++) {
        local.addInput(keys(() -> random.nextInt(GROUPS)));
      }
      sink.combine(local);
      sink.finish();
      List<Future<Long>> counts = new ArrayList<>();
      try (SplitSource splits = sink.takeSplits()) {
        for (Split split = splits.next(); split != null; split = splits.next()) {
          Split driven = split;
          counts.add(threads.submit(() -> count(driven)));
        }
        long groups = 0;
        for (Future<Long> count : counts) {
          groups += count.get();
        }
        assertEquals(GROUPS, groups);
      }
    } finally {
      threads.shutdown();
    }
  }

  private static long count(Split split) {
    long rows = 0;
    try (split) {
      for (RecordBatch batch = split.next(); batch != null; batch = split.next()) {
        rows += batch.rowCount();
        batch.close();
      }
    }
    return rows;
  }

  private long groups(LongSupplier key, long bytes) {
    return groups(key, bytes, SpillSpace.unmoved(MemoryTier.HOST));
  }

  /** Returns the groups of keys; before they are merged they must take less than some bytes. */
  private long groups(LongSupplier key, long bytes, SpillSpace spill) {
    long groups = 0;
    try (Backend backend = HostBackend.open();
        SinkOperator sink = open(backend, spill)) {
      SinkState local = sink.newLocal();
      for (int i = 0; i < BATCHES; i++) {
        local.addInput(keys(key));
      }
      long held = memory.allocator().allocatedBytes();
      mostOnDisk = spill instanceof EagerSpillSpace disk ? disk.storedBytes() : 0;
      assertTrue(held < bytes, () -> held + " bytes");
      sink.combine(local);
      sink.finish();
      while (!sink.isFinished()) {
        try (RecordBatch batch = sink.getOutput()) {
          groups += batch == null ? 0 : batch.rowCount();
        }
      }
    }
    return groups;
  }

  private SinkOperator open(Backend backend, SpillSpace spill) {
    List<Expression> keys = List.of(new ColumnReference(0, PrimitiveType.INT64, false));
    return new HashAggregateOperatorFactory(
            true, KEYS, null, keys, List.of(), KEYS, ExpressionError.NO_ORIGIN, LIMITS)
        .create(
            new OperatorContext(
                memory.allocator(),
                memory.allocator(),
                backend,
                () -> false,
                ErrorReplay.PLAIN,
                spill,
                spill,
                2));
  }

  private RecordBatch keys(LongSupplier key) {
    try (BatchBuilder builder = new BatchBuilder(KEYS, memory.allocator())) {
      for (int i = 0; i < BATCH_ROWS; i++) {
        ((LongBuilder) builder.column(0)).append(key.getAsLong());
      }
      return builder.build(0);
    }
  }
}
