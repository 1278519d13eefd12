package io.ariadne.operator.project;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.EvaluationMode;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.Function;
import io.ariadne.expression.Literal;
import io.ariadne.operator.AbstractTestOperator;
import io.ariadne.operator.OperatorFactory;
import java.util.ArrayList;
import java.util.List;

/** A filter over lists, structs and maps. */
class TestNestedFilterConformance extends AbstractTestOperator {
  @Override
  protected Schema inputSchema() {
    List<DataType> types = new ArrayList<>(List.of(PrimitiveType.INT64));
    types.addAll(RandomBatches.nestedTypes());
    return RandomBatches.schemaOf(types);
  }

  @Override
  protected OperatorFactory factory() {
    Call condition =
        new Call(
            Function.LESS,
            List.of(
                new ColumnReference(0, PrimitiveType.INT64, true),
                new Literal(1000L, PrimitiveType.INT64)),
            PrimitiveType.BOOLEAN,
            true,
            EvaluationMode.LEGACY,
            ExpressionError.NO_ORIGIN);
    return FilterProjectOperatorFactory.filter(inputSchema(), condition);
  }

  @Override
  protected int cases() {
    return 10;
  }

  @Override
  protected int maxRows() {
    return 500;
  }
}
