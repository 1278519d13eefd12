package io.ariadne.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.BatchSize;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.testing.TestingAllocator;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.error.EngineException;
import io.ariadne.error.ErrorCode;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.RefusedCalls;
import io.ariadne.operator.RefusingAllocator;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.Split;
import io.ariadne.operator.SplitSource;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.WaitTimes;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds of joins in a pool that other users have filled, on the host. */
class TestHostHashJoinMemory {
  private static final Schema ROWS =
      Schema.of(
          new Field("key", PrimitiveType.INT64, false),
          new Field("value", PrimitiveType.INT64, false),
          new Field("text", PrimitiveType.STRING, false));
  private static final int BATCH_ROWS = 8192;
  private static final int BATCHES = 64;
  private static final int FEW_BATCHES = 16;
  private static final long LIMIT = 64 << 20;
  private static final WaitTimes SHORT_WAITS =
      new WaitTimes(Duration.ofMillis(50), Duration.ofMillis(500), Duration.ZERO);

  /** Limits that expect every table to fit. */
  private static final JoinLimits ONE_PART =
      new JoinLimits(1L << 60, 1L << 60, 1 << 18, Long.MAX_VALUE);

  private static final JoinLimits SEVERAL_PARTS = new JoinLimits(1L << 60, 1L << 60, 1 << 18, 1);

  @TempDir private Path folder;
  private MemoryPool pageMemory;
  private PagePool pages;
  private DiskSpillStore disk;
  private MemoryPool pool;
  private SpillController controller;
  private Backend backend;
  private OperatorContext context;

  @BeforeEach
  void open() {
    pageMemory = MemoryPools.host("pages", 64 << 20, true);
    pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 0, 12);
    disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
    pool = MemoryPools.host("host", LIMIT, true);
    pool.keepReserve(LIMIT / 32);
    controller =
        new SpillController(pool, List.of(disk), new PlanOrderEviction(), 0.8, 0.6, SHORT_WAITS);
    backend = HostBackend.open();
    context =
        new OperatorContext(
            pool, pool, backend, () -> false, ErrorReplay.PLAIN, controller, controller, 2);
  }

  @AfterEach
  void close() {
    backend.close();
    assertEquals(0, pool.allocatedBytes());
    controller.close();
    pool.close();
    disk.close();
    pages.close();
    pageMemory.close();
  }

  /** The rows alone take 32 MiB, and up to twice that while they are concatenated. */
  @Test
  void partitionsAWholeTableWhenOthersFillThePool() {
    checkWith(ONE_PART, LIMIT - (6 << 20), 0);
  }

  @Test
  void spillsPartitionsOfATableWhenOthersFillThePool() {
    checkWith(SEVERAL_PARTS, LIMIT - (6 << 20), 0);
  }

  /** Other users fill the pool between the parts and the columns of the table. */
  @Test
  void givesFilledPartitionsBackWhenOthersLackMemory() {
    checkWith(SEVERAL_PARTS, 0, LIMIT - (6 << 20));
  }

  /** Where the order is kept, batches of the build side become tables one after the other. */
  @Test
  void joinsInOrderWhenOthersFillThePool() {
    HashJoin join = join(JoinLimits.WHOLE_TABLE);
    try (MemoryBuffer held = pool.allocate(LIMIT - (6 << 20));
        SinkOperator table = join.table().create(context)) {
      build(join, table, FEW_BATCHES);
      probe(join, FEW_BATCHES, true);
      assertEquals(LIMIT - (6 << 20), held.lengthInBytes());
    }
  }

  @Test
  void sharesBuildRowsWhenOthersFillThePool() {
    HashJoin join = join(JoinLimits.WHOLE_TABLE);
    AtomicReference<SharedBuild> made = new AtomicReference<>();
    try (MemoryBuffer held = pool.allocate(LIMIT - (6 << 20));
        SinkOperator table = join.table(made::set).create(context)) {
      build(join, table, FEW_BATCHES);
      assertEquals(LIMIT - (6 << 20), held.lengthInBytes());
      try (SharedBuild shared = made.get()) {
        assertFalse(shared.isTable());
        assertEquals(FEW_BATCHES * BATCH_ROWS, shared.rowCount());
        HashJoin sharing = new HashJoin(join.spec(), shared);
        try (SinkOperator sink = sharing.shared().create(context)) {
          sink.finish();
          probe(sharing, FEW_BATCHES, true);
        }
      }
    }
  }

  @Test
  void partitionsTheRowsThatOneTableCannotNumber() {
    HashJoin join = join(ONE_PART);
    assertFalse(join.isTooLarge(BuildColumns.MAX_ROWS, 0, context));
    assertTrue(join.isTooLarge(BuildColumns.MAX_ROWS + 1, 0, context));
    assertTrue(join.isTooLargeForPair(1L << 31, 0, context));
    assertFalse(join(JoinLimits.WHOLE_TABLE).isTooLarge(1L << 31, 0, context));
  }

  @Test
  void refusesRowsThatOneTableCannotNumber() {
    assertEquals(Integer.MAX_VALUE - 66, BuildColumns.checkedRowCount(Integer.MAX_VALUE - 66L));
    for (long rows : new long[] {Integer.MAX_VALUE - 65L, 1L << 31, 1L << 32}) {
      EngineException e =
          assertThrows(EngineException.class, () -> BuildColumns.checkedRowCount(rows));
      assertEquals(ErrorCode.OUT_OF_MEMORY, e.code());
      assertTrue(e.getMessage().contains(rows + " rows"), e.getMessage());
    }
  }

  @Test
  void freesRowListsWhenAPartFails() {
    HashJoin join = join(SEVERAL_PARTS);
    HashTablePartition[] parts = {filled(join), filled(join)};
    HashTableAssembly assembly = new HashTableAssembly(join, parts, context);
    parts[1].takeGroups().close();
    try (BuildColumns columns = new BuildColumns(ROWS, List.of(), context)) {
      assertThrows(NullPointerException.class, () -> assembly.assemble(columns));
    }
    parts[0].close();
    parts[1].close();
    assertEquals(0, pool.allocatedBytes());
  }

  private HashTablePartition filled(HashJoin join) {
    try (SpilledPartition rows = new SpilledPartition()) {
      for (long batch = 0; batch < 2; batch++) {
        rows.add(controller.add(batch(0), HashPartitioner.PLACEMENT));
      }
      for (int row = 0; row < 2 * BATCH_ROWS; row++) {
        rows.note(row);
      }
      HashTablePartition part = new HashTablePartition(join, rows, context);
      boolean hasMore = true;
      while (hasMore) {
        hasMore = part.next();
      }
      assertTrue(part.retain());
      return part;
    }
  }

  /** Joins while others hold bytes from the beginning, and from the end of the splits on. */
  private void checkWith(JoinLimits limits, long heldBytes, long heldAfterSplits) {
    HashJoin join = join(limits);
    MemoryBuffer held = pool.allocate(heldBytes);
    MemoryBuffer heldLater = null;
    try (SinkOperator sink = join.build().create(context)) {
      fill(sink, BATCHES);
      try (SplitSource splits = sink.takeSplits();
          SinkOperator table = join.table().create(context)) {
        drive(splits);
        heldLater = pool.allocate(heldAfterSplits);
        table.combine(table.newLocal());
        table.finish();
        probe(join, BATCHES, false);
      }
    } finally {
      held.close();
      if (heldLater != null) {
        heldLater.close();
      }
    }
  }

  private void fill(SinkOperator sink, int batches) {
    SinkState state = sink.newLocal();
    for (int i = 0; i < batches; i++) {
      state.addInput(batch((long) i * BATCH_ROWS));
    }
    sink.combine(state);
    sink.finish();
  }

  private void build(HashJoin join, SinkOperator table, int batches) {
    try (SinkOperator sink = join.build().create(context)) {
      fill(sink, batches);
      try (SplitSource splits = sink.takeSplits()) {
        drive(splits);
        table.combine(table.newLocal());
        table.finish();
      }
    }
  }

  private static void drive(SplitSource splits) {
    RefusedCalls calls = RefusedCalls.none(new RefusingAllocator(new TestingAllocator()));
    for (Split split = splits.next(); split != null; split = splits.next()) {
      try (Split open = split) {
        RecordBatch batch;
        while ((batch = calls.call(open, open::next)) != null) {
          batch.close();
        }
      }
    }
  }

  /** Every second key has a build row, whose value is the key. */
  private void probe(HashJoin join, int batches, boolean keepsOrder) {
    BitSet found = new BitSet();
    try (Operator probe = join.probe().create(context)) {
      for (int i = 0; i < batches; i += 2) {
        probe.addInput(batch((long) i * BATCH_ROWS));
        drain(probe, found, keepsOrder);
      }
      probe.finish();
      drain(probe, found, keepsOrder);
      assertTrue(probe.isFinished());
    }
    assertEquals(BATCH_ROWS * batches / 2, found.cardinality());
  }

  private static void drain(Operator probe, BitSet found, boolean keepsOrder) {
    for (RecordBatch batch = probe.getOutput(); batch != null; batch = probe.getOutput()) {
      try (RecordBatch rows = batch) {
        ColumnReader text = new ColumnReader(rows.column(2));
        for (int row = 0; row < rows.rowCount(); row++) {
          long key = rows.column(0).data().getLong(row * 8L);
          assertEquals(key, rows.column(1).data().getLong(row * 8L));
          assertEquals(textOf(key), text.getString(row));
          assertFalse(found.get((int) (key / 1000)));
          assertTrue(!keepsOrder || key / 1000 >= found.length(), "out of order");
          found.set((int) (key / 1000));
        }
      }
    }
  }

  private static String textOf(long key) {
    return "the row with the key " + key;
  }

  /** Returns rows whose keys, and values, are the thousands from a number on. */
  private RecordBatch batch(long first) {
    try (BatchBuilder builder = new BatchBuilder(ROWS, pool)) {
      for (int row = 0; row < BATCH_ROWS; row++) {
        long key = (first + row) * 1000;
        builder.appendRow(key, key, textOf(key).getBytes(StandardCharsets.UTF_8));
      }
      return builder.build(first);
    }
  }

  private static HashJoin join(JoinLimits limits) {
    List<Expression> key = List.of(new ColumnReference(0, PrimitiveType.INT64, false));
    JoinSpec spec =
        new JoinSpec(JoinKind.INNER, ROWS, ROWS, key, key, null, List.of(), List.of(0, 4, 5), ROWS);
    return new HashJoin(spec, BatchSize.HOST.outputRows(), limits);
  }
}
