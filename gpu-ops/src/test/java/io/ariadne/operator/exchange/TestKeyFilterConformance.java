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
import java.util.stream.IntStream;

/** The contract of operators for runtime filters. */
class TestKeyFilterConformance extends AbstractTestOperator {
  private static final Schema ROWS =
      RandomBatches.schemaOf(
          List.of(
              PrimitiveType.STRING,
              new DecimalType(30, 2),
              new ListType(PrimitiveType.STRING, true)));

  /** So full that it contains about half of all hashes. */
  private static final KeyFilter HALF =
      KeyFilter.ofWords(IntStream.range(0, 64).mapToLong(i -> 0x7FFF_FFFF_FFEFL << i).toArray());

  @Override
  protected Schema inputSchema() {
    return Schema.of(
        ROWS.field(0),
        ROWS.field(1),
        ROWS.field(2),
        new Field("collected", PrimitiveType.INT32, false),
        new Field("hash", PrimitiveType.INT32, false));
  }

  @Override
  protected OperatorFactory factory() {
    TestingFilters filters = new TestingFilters(List.of(3, 4), HALF);
    return new KeyFilterOperatorFactory(
        inputSchema(), ROWS.columnCount(), filters.hashColumns(), filters);
  }
}
