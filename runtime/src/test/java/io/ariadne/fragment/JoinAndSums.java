package io.ariadne.fragment;

import io.ariadne.columnar.ColumnReader;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.executor.ExecutorRuntime;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.join.JoinKind;
import io.ariadne.plan.PlanNode;
import java.util.List;

/**
 * A query that holds much at once: joins a side of different keys with a larger one, and counts and
 * adds up the pairs of each row of the first side.
 *
 * @param buildRows rows of the first side, each of which is a group
 * @param probeRows rows of the other side, each of which has one pair; not fewer
 */
record JoinAndSums(long buildRows, long probeRows) {
  private static final int AGGREGATE_NODE = 4;
  private static final long PRIME = 1_000_003;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private static final Schema OUTPUT =
      Schema.of(
          new Field("row", PrimitiveType.INT64, true),
          new Field("sum", PrimitiveType.INT64, true),
          new Field("count", PrimitiveType.INT64, false));

  private static PlanNode plan() {
    Expression probeValue = new ColumnReference(0, PrimitiveType.INT64, true);
    Expression buildValue = new ColumnReference(1, PrimitiveType.INT64, true);
    return SumAndCount.of(
        AGGREGATE_NODE,
        BenchmarkJoin.join(JoinKind.INNER),
        List.of(buildValue),
        probeValue,
        OUTPUT);
  }

  /**
   * A run.
   *
   * @param seconds its time
   * @param peakBytes the most bytes that it held at once, in all tiers of memory
   */
  record Run(double seconds, long peakBytes) {}

  /** Runs the query and checks its answer. */
  Run run(ExecutorRuntime runtime) {
    TestingScan build = BenchmarkJoin.scanOf(buildRows, this::key);
    TestingScan probe = BenchmarkJoin.scanOf(probeRows, i -> key(i % buildRows));
    long start = System.nanoTime();
    try (FragmentExecution execution =
        runtime.submit(plan(), List.of(), List.of(probe, build), TaskEnvironment.NONE)) {
      check(execution);
      return new Run((System.nanoTime() - start) / 1e9, execution.totals().peakBytes());
    }
  }

  /** Returns the key of a row of the first side: different, sparse, and in no order. */
  private long key(long row) {
    return row * PRIME % buildRows * GOLDEN;
  }

  private void check(FragmentExecution execution) {
    long groups = 0;
    long count = 0;
    long sum = 0;
    for (RecordBatch batch = execution.next(); batch != null; batch = execution.next()) {
      try (RecordBatch open = batch) {
        ColumnReader sums = new ColumnReader(open.column(1));
        ColumnReader counts = new ColumnReader(open.column(2));
        groups += open.rowCount();
        for (int row = 0; row < open.rowCount(); row++) {
          sum += sums.getLong(row);
          count += counts.getLong(row);
        }
      }
    }
    if (groups != buildRows || count != probeRows || sum != probeRows * (probeRows - 1) / 2) {
      throw new IllegalStateException(
          groups + " groups of " + buildRows + ", " + count + " pairs of " + probeRows);
    }
  }
}
