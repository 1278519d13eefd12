package io.ariadne.operator.project;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.testing.BatchAssertions;
import io.ariadne.columnar.testing.ColumnEncoding;
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
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.operator.OperatorContext;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The memory that a runner takes for the code of programs is bounded. */
class TestLoadedPrograms {
  private static final Schema SCHEMA = Schema.of(new Field("a", PrimitiveType.INT64, false));
  private static final int PROGRAMS = 700;
  private static final int MOST_BUFFERS = 300;

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private static ProjectionStep adding(long number) {
    Expression sum =
        new Call(
            Function.ADD,
            List.of(
                new ColumnReference(0, PrimitiveType.INT64, false),
                new Literal(number, PrimitiveType.INT64)),
            PrimitiveType.INT64,
            true,
            EvaluationMode.LEGACY,
            -1);
    return ProjectionStep.of(SCHEMA, null, List.of(sum), SCHEMA, List.of(-1, -1));
  }

  @Test
  void unloadsProgramsWhenThereAreMany() {
    RandomBatches random = RandomBatches.create();
    try (Backend backend = HostBackend.open();
        ProjectionRunner runner =
            new ProjectionRunner(new OperatorContext(memory.allocator(), backend, () -> false))) {
      for (int i = 0; i < PROGRAMS; i++) {
        RecordBatch batch =
            random.batch(SCHEMA, 3, NullPattern.NONE, ColumnEncoding.PLAIN, memory.allocator());
        long value = (long) BatchAssertions.rows(batch).get(0).get(0);
        try (RecordBatch result = runner.run(adding(i), batch)) {
          assertEquals(value + i, BatchAssertions.rows(result).get(0).get(0));
        }
        assertTrue(memory.allocator().openBufferCount() < MOST_BUFFERS);
      }
    }
  }
}
