package io.ariadne.rules.exec.translation;

import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.TotalExpressions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;

/**
 * A projection below a join, divided in two parts. Expressions that the join needs, or that never
 * raise, are computed before the join. The other expressions are computed after the join, for the
 * rows that it emits, as in the code that Spark generates.
 *
 * @param before the expressions before the join, and the columns that the other part reads
 * @param behind the expressions after the join
 */
public record PostponedProjection(List<NamedExpression> before, List<Alias> behind) {
  /** Copies the lists. */
  public PostponedProjection {
    before = List.copyOf(before);
    behind = List.copyOf(behind);
  }

  /**
   * Divides a projection.
   *
   * @param projections Spark's output expressions
   * @param needed columns of the projection that the join reads
   */
  public static PostponedProjection of(
      List<NamedExpression> projections, Collection<Attribute> needed) {
    List<NamedExpression> before = new ArrayList<>();
    List<Alias> behind = new ArrayList<>();
    Set<ExprId> computed = new HashSet<>();
    for (NamedExpression projection : projections) {
      boolean isNeeded = needed.stream().anyMatch(a -> a.exprId().equals(projection.exprId()));
      if (projection instanceof Alias alias && !isNeeded && mayRaise(projection)) {
        behind.add(alias);
      } else {
        before.add(projection);
        computed.add(projection.exprId());
      }
    }
    for (Alias alias : behind) {
      for (Attribute read : ExpressionBridge.references(alias)) {
        if (computed.add(read.exprId())) {
          before.add(read);
        }
      }
    }
    return new PostponedProjection(before, behind);
  }

  /** Returns whether an expression is computed after a join that does not need it. */
  public static boolean mayRaise(NamedExpression projection) {
    Expression expression = (Expression) projection;
    return expression.deterministic() && !TotalExpressions.neverRaises(expression);
  }

  /** Returns the columns that the join gets. */
  public List<Attribute> columns() {
    return before.stream().map(NamedExpression::toAttribute).toList();
  }

  /** Returns the expressions after the join for some of the projection's columns. */
  public List<NamedExpression> behind(List<Attribute> output) {
    return output.stream().map(this::behind).toList();
  }

  private NamedExpression behind(Attribute column) {
    return behind.stream()
        .filter(alias -> alias.exprId().equals(column.exprId()))
        .<NamedExpression>map(alias -> alias)
        .findFirst()
        .orElse(column);
  }

  /** Returns the columns that the join must emit so that {@link #behind} can be computed. */
  public List<Attribute> joined(List<Attribute> output) {
    List<Attribute> joined = new ArrayList<>();
    Set<ExprId> seen = new HashSet<>();
    for (NamedExpression column : behind(output)) {
      List<Attribute> read =
          column instanceof Attribute attribute
              ? List.of(attribute)
              : ExpressionBridge.references((Expression) column);
      read.stream().filter(attribute -> seen.add(attribute.exprId())).forEach(joined::add);
    }
    return joined;
  }

  /**
   * Returns our plan of the part of the projection before the join.
   *
   * @param input the input of the projection
   * @param numbers gives plan nodes their numbers
   * @param scope settings and replay table
   */
  public NodeConversion plan(ProjectionInput input, IntSupplier numbers, ConversionScope scope) {
    PlanNode child = input.node();
    return ProjectTranslation.convert(before, input.columns(), child, numbers, scope);
  }
}
