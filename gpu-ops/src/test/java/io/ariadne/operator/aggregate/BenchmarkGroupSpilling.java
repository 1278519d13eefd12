package io.ariadne.operator.aggregate;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.memory.PagePool;
import io.ariadne.operator.ErrorReplay;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import io.ariadne.spill.PlanOrderEviction;
import io.ariadne.spill.SpillController;
import io.ariadne.spill.disk.DiskSpillOptions;
import io.ariadne.spill.disk.DiskSpillStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures sums and counts of groups of four neighbouring rows in smaller and smaller pools, on one
 * thread that feeds two local states. Runs are spilled to files in a temporary folder. Arguments:
 * the number of rows, then sizes of pools in MB; the first one is a warm-up.
 */
public final class BenchmarkGroupSpilling {
  private static final int BATCH_ROWS = 8192;
  private static final int STATES = 2;
  private static final int PAGES = 16;
  private static final double HIGH_MARK = 0.8;
  private static final double LOW_MARK = 0.6;
  private static final long MICROS = 1000;

  private static final Schema INPUT =
      Schema.of(
          new Field("k", PrimitiveType.INT64, false), new Field("v", PrimitiveType.INT64, false));

  private final MemoryPool pool;
  private final int rows;

  private BenchmarkGroupSpilling(MemoryPool pool, int rows) {
    this.pool = pool;
    this.rows = rows;
  }

  /**
   * Prints one tab-separated line per pool.
   *
   * @throws IOException when there is no temporary folder
   */
  public static void main(String[] arguments) throws IOException {
    System.out.println("pool_mb\tgroups\tms_in\tms_out");
    Path folder = Files.createTempDirectory("groups");
    long pageBytes = PagePool.PAGE_BYTES + PagePool.PAGE_ALIGNMENT;
    for (int i = 1; i < arguments.length; i++) {
      long megabytes = Long.parseLong(arguments[i]);
      try (MemoryPool pool = MemoryPools.host("groups", megabytes << 20, false);
          MemoryPool pageMemory = MemoryPools.host("pages", PAGES * pageBytes, false);
          PagePool pages = new PagePool(pageMemory, PagePool.PAGE_BYTES, 0, PAGES);
          DiskSpillStore disk = new DiskSpillStore(DiskSpillOptions.in(List.of(folder)), pages);
          SpillController spill =
              new SpillController(
                  pool, List.of(disk), new PlanOrderEviction(), HIGH_MARK, LOW_MARK)) {
        System.out.print(megabytes + "\t");
        new BenchmarkGroupSpilling(pool, Integer.parseInt(arguments[0])).run(spill);
      }
    }
    Files.delete(folder);
  }

  private void run(SpillController spill) {
    try (Backend backend = HostBackend.open();
        SinkOperator sink =
            factory()
                .create(
                    new OperatorContext(
                        pool, pool, backend, () -> false, ErrorReplay.PLAIN, spill, spill, 2))) {
      SinkState[] states = new SinkState[STATES];
      for (int i = 0; i < STATES; i++) {
        states[i] = sink.newLocal();
      }
      long start = System.nanoTime();
      for (int first = 0; first < rows; first += BATCH_ROWS) {
        states[first / BATCH_ROWS % STATES].addInput(batch(first));
      }
      long taken = System.nanoTime();
      long groups = finish(sink, states);
      long ended = System.nanoTime();
      System.out.printf(
          "%d\t%d\t%d%n",
          groups, (taken - start) / MICROS / MICROS, (ended - taken) / MICROS / MICROS);
    }
  }

  private static long finish(SinkOperator sink, SinkState[] states) {
    for (SinkState state : states) {
      state.finish();
      sink.combine(state);
    }
    sink.finish();
    long groups = 0;
    while (!sink.isFinished()) {
      RecordBatch batch = sink.getOutput();
      if (batch != null) {
        groups += batch.rowCount();
        batch.close();
      }
    }
    return groups;
  }

  private RecordBatch batch(int first) {
    MemoryBuffer keys = pool.allocate((long) BATCH_ROWS * Long.BYTES);
    MemoryBuffer values = pool.allocate((long) BATCH_ROWS * Long.BYTES);
    for (int row = 0; row < BATCH_ROWS; row++) {
      keys.putLong((long) row * Long.BYTES, (first + row) / 4);
      values.putLong((long) row * Long.BYTES, row);
    }
    return new RecordBatch(INPUT, BATCH_ROWS, List.of(column(keys), column(values)), 0);
  }

  private static ColumnVector column(MemoryBuffer values) {
    return ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, BATCH_ROWS, values, null);
  }

  private static HashAggregateOperatorFactory factory() {
    Field sum = new Field("sum", PrimitiveType.INT64, true);
    Field count = new Field("count", PrimitiveType.INT64, false);
    Expression key = new ColumnReference(0, PrimitiveType.INT64, false);
    Expression value = new ColumnReference(1, PrimitiveType.INT64, false);
    return new HashAggregateOperatorFactory(
        true,
        INPUT,
        null,
        List.of(key),
        List.of(
            AggregateCall.of(AggregateFunction.SUM, List.of(value), sum),
            AggregateCall.of(AggregateFunction.COUNT, List.of(), count)),
        Schema.of(new Field("k", PrimitiveType.INT64, false), sum, count));
  }
}
