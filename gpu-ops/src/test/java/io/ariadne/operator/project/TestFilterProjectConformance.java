package io.ariadne.operator.project;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.operator.AbstractTestOperator;
import io.ariadne.operator.OperatorFactory;
import java.util.List;

/** A filter with projections that pass through, compute, and repeat columns. */
class TestFilterProjectConformance extends AbstractTestOperator {
  private static final Schema INPUT =
      RandomBatches.schemaOf(
          List.of(
              PrimitiveType.INT32,
              PrimitiveType.INT64,
              PrimitiveType.STRING,
              new DecimalType(12, 2),
              PrimitiveType.BOOLEAN));

  private static Expression column(int index) {
    return new ColumnReference(index, INPUT.field(index).type(), true);
  }

  private static Expression call(Function function, DataType type, Expression... arguments) {
    return new Call(
        function, List.of(arguments), type, true, EvaluationMode.LEGACY, ExpressionError.NO_ORIGIN);
  }

  @Override
  protected Schema inputSchema() {
    return INPUT;
  }

  @Override
  protected OperatorFactory factory() {
    Expression condition =
        call(
            Function.LESS,
            PrimitiveType.BOOLEAN,
            column(1),
            new Literal(1000L, PrimitiveType.INT64));
    Expression sum = call(Function.ADD, PrimitiveType.INT64, column(1), column(1));
    Schema output =
        Schema.of(
            new Field("string", PrimitiveType.STRING, true),
            new Field("sum", PrimitiveType.INT64, true),
            new Field("decimal", new DecimalType(12, 2), true),
            new Field("again", PrimitiveType.STRING, true),
            new Field("flag", PrimitiveType.BOOLEAN, true));
    return new FilterProjectOperatorFactory(
        INPUT, condition, List.of(column(2), sum, column(3), column(2), column(4)), output);
  }
}
