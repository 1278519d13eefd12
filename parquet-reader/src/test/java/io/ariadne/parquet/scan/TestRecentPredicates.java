package io.ariadne.parquet.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.ariadne.backend.Backend;
import io.ariadne.backend.cpu.HostBackend;
import io.ariadne.columnar.testing.LeakCheck;
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
import io.ariadne.operator.project.RowPredicate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestRecentPredicates {
  private static final int FILES = 100;
  private static final Schema INPUT =
      new Schema(List.of(new Field("value", PrimitiveType.INT32, true)));

  @RegisterExtension final LeakCheck memory = new LeakCheck();

  private static Expression below(int limit) {
    return new Call(
        Function.LESS,
        List.of(
            new ColumnReference(0, PrimitiveType.INT32, true),
            new Literal(limit, PrimitiveType.INT32)),
        PrimitiveType.BOOLEAN,
        true,
        EvaluationMode.LEGACY,
        -1);
  }

  @Test
  void keepsOnlyTheLastFew() {
    try (Backend backend = HostBackend.open()) {
      OperatorContext context = new OperatorContext(memory.allocator(), backend, () -> false);
      try (RecentPredicates recent = new RecentPredicates(context)) {
        RowPredicate first = recent.get(INPUT, below(0));
        assertSame(first, recent.get(INPUT, below(0)));
        for (int file = 1; file < FILES; file++) {
          assertNotSame(first, recent.get(INPUT, below(file)));
          assertSame(first, recent.get(INPUT, below(0)), "used last, so kept");
        }
        assertEquals(RecentPredicates.MAX_KEPT, recent.size());
      }
    }
  }
}
