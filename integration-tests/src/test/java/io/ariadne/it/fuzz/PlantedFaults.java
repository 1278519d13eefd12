package io.ariadne.it.fuzz;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.rules.exec.AriadneColumnarToRowExec;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery;
import org.apache.spark.sql.catalyst.expressions.SpecifiedWindowFrame;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.ColumnarRule;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/** Session extensions that corrupt plans as the setting {@link PlantedFault#SETTING} says. */
public final class PlantedFaults extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  /** Creates the extensions; Spark calls this. */
  public PlantedFaults() {}

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    // Of the places for rules the one that runs once.
    extensions.injectPreCBORule(
        new AbstractFunction1<>() {
          @Override
          public Rule<LogicalPlan> apply(SparkSession session) {
            return new Corruption();
          }
        });
    extensions.injectColumnar(
        new AbstractFunction1<>() {
          @Override
          public ColumnarRule apply(SparkSession session) {
            return new Loss();
          }
        });
    return BoxedUnit.UNIT;
  }

  private static boolean has(PlantedFault fault) {
    return fault.name().equals(SQLConf.get().getConfString(PlantedFault.SETTING, ""));
  }

  /** What is done to every logical plan. */
  private static final class Corruption extends Rule<LogicalPlan> {
    @Override
    public String ruleName() {
      return PlantedFaults.class.getName();
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      if (has(PlantedFault.DROPPED_NULL)) {
        return plan.transformUp(everywhere(Corruption::withoutNulls));
      }
      if (has(PlantedFault.SWAPPED_JOIN)) {
        return plan.transformUp(everywhere(Corruption::swapped));
      }
      if (has(PlantedFault.FRAME)) {
        return plan.transformAllExpressions(everywhere(Corruption::early));
      }
      return has(PlantedFault.NULL_SUBQUERY)
          ? plan.transformAllExpressions(everywhere(Corruption::missing))
          : plan;
    }

    private static LogicalPlan withoutNulls(LogicalPlan node) {
      if (!(node instanceof Aggregate aggregate) || aggregate.groupingExpressions().isEmpty()) {
        return node;
      }
      Expression key = aggregate.groupingExpressions().head();
      LogicalPlan filtered = new Filter(new IsNotNull(key), aggregate.child());
      return aggregate.withNewChildren(ScalaCollections.seq(List.of(filtered)));
    }

    private static LogicalPlan swapped(LogicalPlan node) {
      return node instanceof Join join && LeftOuter$.MODULE$.equals(join.joinType())
          ? new Join(join.left(), join.right(), RightOuter$.MODULE$, join.condition(), join.hint())
          : node;
    }

    private static Expression early(Expression expression) {
      return expression instanceof SpecifiedWindowFrame frame
              && frame.lower() instanceof Literal lower
              && !frame.lower().equals(frame.upper())
              && lower.value() instanceof Integer rows
          ? new SpecifiedWindowFrame(
              frame.frameType(), new Literal(rows - 1, DataTypes.IntegerType), frame.upper())
          : expression;
    }

    private static Expression missing(Expression expression) {
      return expression instanceof ScalarSubquery
          ? new Literal(null, expression.dataType())
          : expression;
    }
  }

  private static <T> AbstractPartialFunction<T, T> everywhere(UnaryOperator<T> change) {
    return new AbstractPartialFunction<>() {
      @Override
      public boolean isDefinedAt(T node) {
        return true;
      }

      @Override
      public T apply(T node) {
        return change.apply(node);
      }
    };
  }

  /** What is done to Ariadne's physical plans, after its own rules. */
  private static final class Loss extends ColumnarRule {
    @Override
    public Rule<SparkPlan> postColumnarTransitions() {
      return new Rule<>() {
        @Override
        public String ruleName() {
          return Loss.class.getName();
        }

        @Override
        public SparkPlan apply(SparkPlan plan) {
          return has(PlantedFault.LOST_BATCH) ? plan.transformUp(everywhere(Loss::lossy)) : plan;
        }
      };
    }

    private static SparkPlan lossy(SparkPlan node) {
      return node instanceof AriadneColumnarToRowExec rows
          ? new AriadneColumnarToRowExec(new LossyExec(rows.child()))
          : node;
    }
  }
}
