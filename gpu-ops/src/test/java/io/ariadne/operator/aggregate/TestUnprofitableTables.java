package io.ariadne.operator.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.builder.BatchBuilder;
import io.ariadne.columnar.builder.LongBuilder;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkOperator;
import io.ariadne.operator.SinkState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * After a table that did not reduce the number of rows, rows are appended to runs without lookups,
 * until a table is tried again.
 */
class TestUnprofitableTables {
  private static final int TABLE_GROUPS = 64;
  private static final int APPENDED_RUNS = 15;
  private static final Schema KEYS = Schema.of(new Field("key", PrimitiveType.INT64, false));

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private interface Feeding {
    void feed(SinkState state);
  }

  @Test
  void appendsRowsAfterATableThatDidNotPay() {
    long groups =
        groupsAfter(
            state -> {
              state.addInput(keys(100, 100));
              for (int i = 0; i < APPENDED_RUNS; i++) {
                state.addInput(keys(100, 10));
              }
            });
    assertEquals(100 + APPENDED_RUNS * 100, groups);
  }

  @Test
  void triesATableAgainLater() {
    long groups =
        groupsAfter(
            state -> {
              state.addInput(keys(100, 100));
              for (int i = 0; i < APPENDED_RUNS + 4; i++) {
                state.addInput(keys(100, 10));
              }
            });
    assertEquals(100 + APPENDED_RUNS * 100 + 10, groups);
  }

  @Test
  void keepsGroupingWhileItPays() {
    long groups =
        groupsAfter(
            state -> {
              state.addInput(keys(125, 100));
              state.addInput(keys(100, 10));
            });
    assertEquals(100 + 10, groups);
  }

  /** Returns the groups of all runs, the same key counted in each. */
  private long groupsAfter(Feeding feeding) {
    List<Expression> keys = List.of(new ColumnReference(0, PrimitiveType.INT64, false));
    List<GroupRun> runs = new ArrayList<>();
    long groups = 0;
    try (Backend backend = HostBackend.open();
        SinkOperator sink =
            new HashAggregateOperatorFactory(
                    true,
                    KEYS,
                    null,
                    keys,
                    List.of(),
                    KEYS,
                    ExpressionError.NO_ORIGIN,
                    new GroupLimits(TABLE_GROUPS, Long.MAX_VALUE))
                .create(new OperatorContext(memory.allocator(), backend, () -> false));
        HashAggregateState state = (HashAggregateState) sink.newLocal()) {
      feeding.feed(state);
      state.take(true, runs);
      for (GroupRun run : runs) {
        groups += run.groupCount(0, GroupPartitionKernel.PARTITIONS);
        run.close();
      }
    }
    return groups;
  }

  private RecordBatch keys(int rowCount, int groups) {
    try (BatchBuilder builder = new BatchBuilder(KEYS, memory.allocator())) {
      for (int i = 0; i < rowCount; i++) {
        ((LongBuilder) builder.column(0)).append(i % groups);
      }
      return builder.build(0);
    }
  }
}
