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
 * A projection below a join, in two parts: what the join needs, or raises for no row, is computed
 * before it; the rest behind it, for the rows that are left, as in the code that Spark generates.
 *
 * @param before what is computed below the join, and the columns that the other part reads
 * @param behind what is computed above it
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

  /** Returns whether a projection is computed behind a join that does not need it. */
  public static boolean mayRaise(NamedExpression projection) {
    Expression expression = (Expression) projection;
    return expression.deterministic() && !TotalExpressions.neverRaises(expression);
  }

  /** Returns the names of what the join gets. */
  public List<Attribute> columns() {
    return before.stream().map(NamedExpression::toAttribute).toList();
  }

  /** Returns what comes out behind the join for some of its columns. */
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
   * Returns our plan of what is below the join.
   *
   * @param input what the projection is computed from
   * @param numbers gives plan nodes their numbers
   * @param scope settings and replay table
   */
  public NodeConversion plan(ProjectionInput input, IntSupplier numbers, ConversionScope scope) {
    PlanNode child = input.node();
    return ProjectTranslation.convert(before, input.columns(), child, numbers, scope);
  }
}
