package io.ariadne.it.golden;

import io.ariadne.bridge.ScalaCollections;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.OneRowRelation;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * Session extensions that put columns of a table of one row in the places of a query's constants,
 * so that {@code SELECT abs(-1)} is computed from a row and not while the query is planned. Only
 * where the setting {@link #SETTING} is true, and where functions do not ask for constants.
 */
public final class ColumnsForLiterals extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  /** Session setting that switches the extension on. */
  static final String SETTING = "ariadne.it.columnsForLiterals";

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    extensions.injectOptimizerRule(
        new AbstractFunction1<>() {
          @Override
          public Rule<LogicalPlan> apply(SparkSession session) {
            return new Columns();
          }
        });
    return BoxedUnit.UNIT;
  }

  private static final class Columns extends Rule<LogicalPlan> {
    @Override
    public String ruleName() {
      return ColumnsForLiterals.class.getName();
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      if (!Boolean.parseBoolean(SQLConf.get().getConfString(SETTING, "false"))) {
        return plan;
      }
      return plan.transformUp(
          new AbstractPartialFunction<LogicalPlan, LogicalPlan>() {
            @Override
            public boolean isDefinedAt(LogicalPlan node) {
              return node instanceof Project project && project.child() instanceof OneRowRelation;
            }

            @Override
            public LogicalPlan apply(LogicalPlan node) {
              return new Replacement().of((Project) node);
            }
          });
    }
  }

  /** The columns that come in the place of one projection's constants. */
  private static final class Replacement {
    private final List<Attribute> columns = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    LogicalPlan of(Project project) {
      List<NamedExpression> replaced = new ArrayList<>();
      for (NamedExpression one : ScalaCollections.<NamedExpression>list(project.projectList())) {
        boolean isConstant = one instanceof Alias alias && alias.child() instanceof Literal;
        replaced.add(isConstant ? one : (NamedExpression) replace((Expression) one));
      }
      if (columns.isEmpty()) {
        return project;
      }
      Row row = RowFactory.create(values.toArray());
      LocalRelation relation =
          LocalRelation.fromExternalRows(
              ScalaCollections.seq(columns), ScalaCollections.seq(List.of(row)));
      return new Project(ScalaCollections.seq(replaced), relation);
    }

    private Expression replace(Expression expression) {
      Expression current = expression;
      int count = expression.children().size();
      for (int i = 0; i < count; i++) {
        Expression child = current.children().apply(i);
        int columnCount = columns.size();
        Expression replaced = child instanceof Literal literal ? column(literal) : replace(child);
        if (replaced != child) {
          Expression tried = with(current, i, replaced);
          if (isValid(tried, expression)) {
            current = tried;
          } else {
            columns.subList(columnCount, columns.size()).clear();
            values.subList(columnCount, values.size()).clear();
          }
        }
      }
      return current;
    }

    private Expression column(Literal literal) {
      if (literal.dataType().equals(DataTypes.NullType)) {
        return literal;
      }
      AttributeReference column =
          new AttributeReference(
              "v" + columns.size(),
              literal.dataType(),
              literal.nullable(),
              Metadata.empty(),
              NamedExpression$.MODULE$.newExprId(),
              ScalaCollections.seq(List.of()));
      columns.add(column);
      values.add(CatalystTypeConverters.convertToScala(literal.value(), literal.dataType()));
      return column;
    }

    private static Expression with(Expression parent, int i, Expression child) {
      List<Expression> children =
          new ArrayList<>(ScalaCollections.<Expression>list(parent.children()));
      children.set(i, child);
      return parent.withNewChildren(ScalaCollections.seq(children));
    }

    private static boolean isValid(Expression tried, Expression original) {
      try {
        return tried.checkInputDataTypes().isSuccess()
            && tried.resolved()
            && tried.dataType().equals(original.dataType());
      } catch (RuntimeException e) {
        return false; // some expressions evaluate their constants to find their type
      }
    }
  }
}
