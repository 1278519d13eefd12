package io.ariadne.operator.aggregate;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.memory.MemoryPool;
import io.ariadne.memory.MemoryPools;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Measures sum and count of plain columns by a 64-bit key on one thread of the host: nanoseconds
 * per input row for aggregating, and per group for merging and reading the result. Run as a main
 * class.
 *
 * <p>Axes: the number of groups, the order of their rows, the limit of groups per table.
 */
public final class BenchmarkGrouping {
  private static final int ROWS = 1 << 23;
  private static final int BATCH_ROWS = 1 << 15;
  private static final int ROUNDS = 5;
  private static final DecimalType MONEY = new DecimalType(12, 2);
  private static final DecimalType SUM = new DecimalType(22, 2);
  private static final Schema SCHEMA =
      Schema.of(new Field("k", PrimitiveType.INT64, false), new Field("v", MONEY, false));

  private final MemoryPool allocator = MemoryPools.host("benchmark", 8L << 30, false);
  private final Backend backend = HostBackend.open();
  private final OperatorContext context = new OperatorContext(allocator, backend, () -> false);

  private BenchmarkGrouping() {}

  /** Prints one tab-separated line per point. */
  public static void main(String[] arguments) {
    BenchmarkGrouping benchmark = new BenchmarkGrouping();
    System.out.println("rows\tlimit\tgroups\tns_per_row_in\tns_per_group_out");
    int[] limits =
        arguments.length == 0
            ? new int[] {0}
            : Arrays.stream(arguments).mapToInt(Integer::parseInt).toArray();
    for (int limit : limits) {
      benchmark.measure("28 groups", limit, row -> scattered(row) % 28);
      benchmark.measure("20000 groups", limit, row -> scattered(row) % 20_000);
      benchmark.measure("4 neighbours", limit, row -> row / 4);
      benchmark.measure("8 scattered", limit, row -> scattered(row) % (ROWS / 8));
      benchmark.measure("1 each", limit, row -> scattered(row));
    }
    benchmark.backend.close();
  }

  private static long scattered(int row) {
    long mixed = (row + 1) * 0x9E3779B97F4A7C15L;
    return (mixed ^ mixed >>> 29) >>> 1;
  }

  private void measure(String name, int limit, IntToLongFunction keyOf) {
    double[] in = new double[ROUNDS];
    double[] out = new double[ROUNDS];
    long groups = 0;
    for (int round = 0; round < ROUNDS; round++) {
      try (HashAggregateOperator sink = factory(limit).create(context)) {
        SinkState local = sink.newLocal();
        long nanos = 0;
        for (int first = 0; first < ROWS; first += BATCH_ROWS) {
          RecordBatch batch = batch(first, keyOf);
          long start = System.nanoTime();
          local.addInput(batch);
          nanos += System.nanoTime() - start;
        }
        in[round] = (double) nanos / ROWS;
        long start = System.nanoTime();
        sink.combine(local);
        sink.finish();
        groups = drain(sink);
        out[round] = (double) (System.nanoTime() - start) / groups;
      }
    }
    Arrays.sort(in);
    Arrays.sort(out);
    System.out.printf(
        "%s\t%d\t%d\t%.2f\t%.2f%n", name, limit, groups, in[ROUNDS / 2], out[ROUNDS / 2]);
  }

  private static long drain(HashAggregateOperator sink) {
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

  private RecordBatch batch(int first, IntToLongFunction keyOf) {
    MemoryBuffer keys = allocator.allocate((long) BATCH_ROWS * Long.BYTES);
    MemoryBuffer values = allocator.allocate((long) BATCH_ROWS * Long.BYTES);
    for (int row = 0; row < BATCH_ROWS; row++) {
      keys.putLong((long) row * Long.BYTES, keyOf.applyAsLong(first + row));
      values.putLong((long) row * Long.BYTES, row);
    }
    List<ColumnVector> columns =
        List.of(
            ColumnVector.flat(PrimitiveType.INT64, PhysicalType.I64, BATCH_ROWS, keys, null),
            ColumnVector.flat(MONEY, PhysicalType.I64, BATCH_ROWS, values, null));
    return new RecordBatch(SCHEMA, BATCH_ROWS, columns, 0);
  }

  private static HashAggregateOperatorFactory factory(int limit) {
    GroupLimits limits = limit == 0 ? null : new GroupLimits(limit, Long.MAX_VALUE);
    Field count = new Field("count", PrimitiveType.INT64, false);
    Field sum = new Field("sum", SUM, true);
    Field empty = new Field("empty", PrimitiveType.BOOLEAN, true);
    ColumnReference key = new ColumnReference(0, PrimitiveType.INT64, false);
    List<AggregateCall> calls =
        List.of(
            call(
                AggregateFunction.SUM,
                List.of(new ColumnReference(1, MONEY, false)),
                List.of(sum, empty),
                SUM),
            call(AggregateFunction.COUNT, List.of(), List.of(count), PrimitiveType.INT64));
    List<Field> output = new ArrayList<>(List.of(new Field("k", PrimitiveType.INT64, false)));
    output.add(new Field("s", SUM, true));
    output.add(new Field("n", PrimitiveType.INT64, false));
    return new HashAggregateOperatorFactory(
        true, SCHEMA, null, List.of(key), calls, new Schema(output), -1, limits);
  }

  private static AggregateCall call(
      AggregateFunction function,
      List<ColumnReference> arguments,
      List<Field> buffers,
      DataType result) {
    return new AggregateCall(
        function,
        List.copyOf(arguments),
        null,
        buffers,
        AggregateCall.UPDATES,
        result,
        EvaluationMode.LEGACY);
  }
}
