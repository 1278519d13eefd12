package io.ariadne.bridge.node;

import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;
import scala.runtime.AbstractPartialFunction;

/** Replaces every filter by {@link TestingFilterExec}. */
final class TestingFilterRule extends ColumnarRule {
  @Override
  public Rule<SparkPlan> preColumnarTransitions() {
    return new Conversion();
  }

  private static final class Conversion extends Rule<SparkPlan> {
    @Override
    public SparkPlan apply(SparkPlan plan) {
      return plan.transformUp(
          new AbstractPartialFunction<SparkPlan, SparkPlan>() {
            @Override
            public boolean isDefinedAt(SparkPlan node) {
              return node.getClass() == FilterExec.class;
            }

            @Override
            public SparkPlan apply(SparkPlan node) {
              FilterExec filter = (FilterExec) node;
              return new TestingFilterExec(filter.condition(), filter.child()).takeTagsFrom(filter);
            }
          });
    }
  }
}
