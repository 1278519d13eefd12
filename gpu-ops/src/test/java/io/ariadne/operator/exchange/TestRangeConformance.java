package io.ariadne.operator.exchange;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.sort.SortDirection;
import io.ariadne.operator.AbstractTestOperator;
import io.ariadne.operator.OperatorFactory;
import io.ariadne.operator.sort.SortColumn;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The contract of operators for finding ranges. */
class TestRangeConformance extends AbstractTestOperator {
  private static final Schema INPUT =
      RandomBatches.schemaOf(
          List.of(PrimitiveType.STRING, PrimitiveType.FLOAT64, PrimitiveType.INT32));

  @Override
  protected Schema inputSchema() {
    return INPUT;
  }

  @Override
  protected OperatorFactory factory() {
    return new RangeOperatorFactory(
        INPUT,
        2,
        List.of(
            new SortColumn(0, new SortDirection(true, true)),
            new SortColumn(2, SortDirection.ASCENDING)),
        List.of(
            new Object[] {bytes("x"), 7L},
            new Object[] {bytes("A"), null},
            new Object[] {bytes("A"), 3L},
            new Object[] {null, 0L}));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
