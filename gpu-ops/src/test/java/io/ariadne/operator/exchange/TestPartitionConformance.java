package io.ariadne.operator.exchange;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.DecimalType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.ListType;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.AbstractTestOperator;
import io.ariadne.operator.OperatorFactory;
import java.util.List;

/** The contract of operators for partitioning flat and nested columns. */
class TestPartitionConformance extends AbstractTestOperator {
  private static final Schema COLUMNS =
      RandomBatches.schemaOf(
          List.of(
              PrimitiveType.STRING,
              PrimitiveType.BOOLEAN,
              new DecimalType(30, 2),
              new ListType(PrimitiveType.STRING, true)));

  @Override
  protected Schema inputSchema() {
    return Schema.of(
        COLUMNS.field(0),
        COLUMNS.field(1),
        COLUMNS.field(2),
        COLUMNS.field(3),
        new Field("hash", PrimitiveType.INT32, false));
  }

  @Override
  protected OperatorFactory factory() {
    return new PartitionOperatorFactory(inputSchema(), 7);
  }
}
