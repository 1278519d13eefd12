package io.ariadne.operator.project;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Literal;
import io.ariadne.operator.AbstractTestOperator;
import io.ariadne.operator.OperatorFactory;
import java.io.Serializable;
import java.util.List;

/** The contract of operators for emitting rows three times, as for grouping sets. */
class TestExpandConformance extends AbstractTestOperator {
  private static final Schema INPUT =
      RandomBatches.schemaOf(
          List.of(PrimitiveType.INT32, PrimitiveType.STRING, PrimitiveType.INT64));

  private static Expression column(int index) {
    return new ColumnReference(index, INPUT.field(index).type(), true);
  }

  private static Expression literal(Serializable value, PrimitiveType type) {
    return new Literal(value, type);
  }

  @Override
  protected Schema inputSchema() {
    return INPUT;
  }

  @Override
  protected OperatorFactory factory() {
    Schema output =
        Schema.of(
            new Field("a", PrimitiveType.INT32, true),
            new Field("b", PrimitiveType.STRING, true),
            new Field("id", PrimitiveType.INT64, false));
    return new ExpandOperatorFactory(
        INPUT,
        List.of(
            List.of(column(0), column(1), literal(0L, PrimitiveType.INT64)),
            List.of(
                column(0), literal(null, PrimitiveType.STRING), literal(1L, PrimitiveType.INT64)),
            List.of(
                literal(null, PrimitiveType.INT32),
                literal(null, PrimitiveType.STRING),
                literal(3L, PrimitiveType.INT64))),
        output);
  }
}
