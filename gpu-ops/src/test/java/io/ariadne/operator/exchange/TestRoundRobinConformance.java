package io.ariadne.operator.exchange;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.AbstractTestOperator;
import io.ariadne.operator.OperatorFactory;
import java.util.List;

/** The contract of operators for round robin numbers. */
class TestRoundRobinConformance extends AbstractTestOperator {
  private static final Schema INPUT =
      RandomBatches.schemaOf(
          List.of(
              PrimitiveType.STRING,
              new ListType(PrimitiveType.STRING, true),
              PrimitiveType.FLOAT64,
              PrimitiveType.INT64));

  @Override
  protected Schema inputSchema() {
    return INPUT;
  }

  @Override
  protected OperatorFactory factory() {
    return new RoundRobinOperatorFactory(INPUT, 3, 7);
  }
}
