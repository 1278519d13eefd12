package io.ariadne.operator.sort;

import io.ariadne.columnar.testing.RandomBatches;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.kernel.sort.SortDirection;
import io.ariadne.operator.AbstractTestSinkOperator;
import io.ariadne.operator.SinkOperatorFactory;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** The contract of sinks, kept by the sort and the choice of first rows. */
class TestSortConformance {
  private static final Schema INPUT =
      RandomBatches.schemaOf(
          List.of(
              PrimitiveType.STRING,
              PrimitiveType.INT32,
              RandomBatches.nestedTypes().get(5),
              PrimitiveType.BOOLEAN));

  private abstract static class Suite extends AbstractTestSinkOperator {
    @Override
    protected Schema inputSchema() {
      return INPUT;
    }
  }

  @Nested
  class OneRun extends Suite {
    @Override
    protected SinkOperatorFactory factory() {
      return new SortOperatorFactory(INPUT, List.of(new SortColumn(1, SortDirection.ASCENDING)));
    }
  }

  @Nested
  class ManyRuns extends Suite {
    @Override
    protected SinkOperatorFactory factory() {
      return new SortOperatorFactory(
          INPUT,
          List.of(
              new SortColumn(0, new SortDirection(true, true)),
              new SortColumn(3, SortDirection.ASCENDING)),
          new SortLimits(700, 1 << 20, 300, 1 << 16, 1 << 18, 1000, 3, 3));
    }
  }

  /** As many rows as there are: which ones of equal keys are left out is open. */
  @Nested
  class AllAsFirstRows extends Suite {
    @Override
    protected SinkOperatorFactory factory() {
      return new TopNOperatorFactory(
          INPUT,
          List.of(new SortColumn(0, new SortDirection(true, true))),
          1 << 16,
          1000,
          SortLimits.DEFAULT);
    }
  }

  /** The same, of which some states have them sorted. */
  @Nested
  class AllAsSortedFirstRows extends Suite {
    @Override
    protected SinkOperatorFactory factory() {
      return new TopNOperatorFactory(
          INPUT,
          List.of(new SortColumn(0, new SortDirection(true, true))),
          1 << 16,
          1000,
          new SortLimits(700, 1 << 17, 300, 1 << 16, 1 << 18, 1000, 3, 2));
    }
  }
}
