package io.ariadne.executor;

import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.fragment.FragmentExecution;
import io.ariadne.fragment.LongBatches;
import io.ariadne.fragment.TestingSource;
import io.ariadne.fragment.control.TaskEnvironment;
import io.ariadne.operator.join.JoinKind;
import io.ariadne.operator.join.JoinSpec;
import io.ariadne.plan.InputNode;
import io.ariadne.plan.JoinNode;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Joins of longs with shared tables. */
final class TableJoins {
  private TableJoins() {}

  /** Returns a join of input 0 with input 1, the table, in the order of the former. */
  static JoinNode join(JoinKind kind) {
    List<Expression> keys = List.of(new ColumnReference(0, PrimitiveType.INT64, false));
    JoinSpec spec =
        new JoinSpec(
            kind,
            LongBatches.SCHEMA,
            LongBatches.SCHEMA,
            keys,
            keys,
            null,
            List.of(),
            List.of(0),
            LongBatches.SCHEMA);
    InputNode probe = new InputNode(0, 0, LongBatches.SCHEMA);
    return new JoinNode(3, 2, probe, new InputNode(1, 1, LongBatches.SCHEMA), spec).inOrder();
  }

  /** Begins to join 0 to 99 with a leased table. */
  static FragmentExecution probe(ExecutorRuntime runtime, JoinNode join, TableLease table) {
    TestingSource rows =
        new TestingSource(runtime.pool(), List.of(LongStream.range(0, 100).toArray()));
    return runtime.submit(
        join,
        List.of(rows, table),
        List.of(),
        Map.of(join.id(), table.table()),
        TaskEnvironment.NONE);
  }
}
