package io.ariadne.operator.project;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.LeakCheck;
import io.ariadne.columnar.testing.NullPattern;
import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.RefusedCalls;
import io.ariadne.operator.RefusingAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Projections for which there was no memory run again, each once. */
class TestRepeatedExpand {
  private static final Schema INPUT =
      RandomBatches.schemaOf(List.of(PrimitiveType.INT64, PrimitiveType.STRING));
  private static final Schema OUTPUT =
      Schema.of(
          new Field("sum", PrimitiveType.INT64, true),
          new Field("text", PrimitiveType.STRING, true));
  private static final int ROWS = 200;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  @Test
  void repeatsProjectionsThatAreRefusedMemory() {
    List<List<Object>> expected = run(RefusedCalls::none);
    for (long inARow : new long[] {1, 2, Long.MAX_VALUE}) {
      RefusedCalls[] made = new RefusedCalls[1];
      List<List<Object>> rows =
          run(allocator -> made[0] = RefusedCalls.ofEachCall(allocator, inARow));
      BatchAssertions.assertRowsInOrder(expected, rows);
      assertTrue(made[0].repeated() > 0, "no call was repeated");
    }
  }

  private List<List<Object>> run(RefusedCalls.Plan plan) {
    RefusingAllocator refusing = new RefusingAllocator(memory.allocator());
    RefusedCalls calls = plan.on(refusing);
    List<List<Object>> rows = new ArrayList<>();
    try (Backend backend = HostBackend.open();
        Operator expand = factory().create(new OperatorContext(refusing, backend, () -> false))) {
      for (int i = 0; i < 3; i++) {
        calls.add(
            expand, new RandomBatches(i).batch(INPUT, ROWS, NullPattern.SOME, memory.allocator()));
        RecordBatch batch;
        while ((batch = calls.call(expand, expand::getOutput)) != null) {
          rows.addAll(BatchAssertions.rows(batch));
          batch.close();
        }
      }
      calls.run(expand, expand::finish);
      assertTrue(expand.isFinished());
      assertNull(expand.getOutput());
    }
    return rows;
  }

  private static ExpandOperatorFactory factory() {
    Expression number = new ColumnReference(0, PrimitiveType.INT64, true);
    Expression text = new ColumnReference(1, PrimitiveType.STRING, true);
    Expression twice =
        new Call(
            Function.ADD,
            List.of(number, number),
            PrimitiveType.INT64,
            true,
            EvaluationMode.LEGACY,
            ExpressionError.NO_ORIGIN);
    return new ExpandOperatorFactory(
        INPUT, List.of(List.of(number, text), List.of(twice, text), List.of(twice, text)), OUTPUT);
  }
}
