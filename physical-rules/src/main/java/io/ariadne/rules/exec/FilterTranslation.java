package io.ariadne.rules.exec;

import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.expression.Conversion;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionConverter;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;

/**
 * Translates filters.
 *
 * <p>Spark computes the conjuncts of a condition in order and stops at the first that does not
 * hold; the bridge computes whole columns. So wherever a conjunct goes through the bridge, a filter
 * of its own begins, which sees only the rows that passed the conjuncts before it.
 */
final class FilterTranslation {
  private FilterTranslation() {}

  /**
   * Translates a filter.
   *
   * @param condition Spark's condition over {@code input}
   * @param input the child's columns
   * @param child the child's plan
   * @param numbers gives plan nodes their numbers
   * @param scope settings and replay table
   */
  static NodeConversion convert(
      Expression condition,
      List<? extends Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope) {
    ExpressionConverter converter = new ExpressionConverter(input, scope);
    Conversion whole = converter.convert(condition);
    if (whole.translated().isPresent() && !whole.tag().isBridgedSomewhere()) {
      int origin = scope.originOf(List.of(condition), List.of(whole.tag()), input);
      PlanNode node = new FilterNode(numbers.getAsInt(), child, whole.expression(), origin);
      return new NodeConversion(Optional.of(node), List.of(whole.tag()), List.of(), List.of());
    }
    return new Conjuncts(numbers, converter, input, scope).convert(condition, child);
  }

  /**
   * Translates a filter over a projection that may raise: what the condition does not need is
   * computed behind the filter.
   *
   * @param condition Spark's condition over the projection's output
   * @param input the projection
   */
  static NodeConversion convertBelow(
      Expression condition, ProjectionInput input, IntSupplier numbers, ConversionScope scope) {
    List<Attribute> needed = ExpressionBridge.references(condition);
    List<NamedExpression> before = new ArrayList<>(input.columns());
    List<NamedExpression> after = new ArrayList<>();
    for (NamedExpression projection : input.projections()) {
      Attribute name = projection.toAttribute();
      boolean isComputed = projection instanceof Alias;
      if (isComputed && needed.stream().anyMatch(n -> n.exprId().equals(name.exprId()))) {
        before.add(projection);
        after.add(name);
      } else {
        after.add(projection);
      }
    }
    List<Attribute> columns = before.stream().map(NamedExpression::toAttribute).toList();
    return ProjectTranslation.convert(before, input.columns(), input.node(), numbers, scope)
        .then(node -> convert(condition, columns, node, numbers, scope))
        .then(node -> ProjectTranslation.convert(after, columns, node, numbers, scope));
  }

  /** Puts filters in a row. */
  private record Conjuncts(
      IntSupplier numbers,
      ExpressionConverter converter,
      List<? extends Attribute> input,
      ConversionScope scope) {
    NodeConversion convert(Expression condition, PlanNode child) {
      List<TaggedExpression> tags = new ArrayList<>();
      List<String> reasons = new ArrayList<>();
      PlanNode node = child;
      Expression pending = null;
      for (Expression conjunct : conjuncts(condition)) {
        Conversion conversion = converter.convert(conjunct);
        boolean isBridged = conversion.tag().isBridgedSomewhere();
        if (conversion.translated().isEmpty()) {
          tags.add(conversion.tag());
          reasons.add(conjunct + ": " + conversion.tag().reason());
        } else if (isBridged) {
          node = filter(node, pending, tags);
          node = filter(node, conjunct, tags);
          pending = null;
        } else {
          pending = and(pending, conjunct);
        }
      }
      if (!reasons.isEmpty()) {
        return NodeConversion.failed(tags, reasons);
      }
      node = filter(node, pending, tags);
      return new NodeConversion(Optional.of(node), tags, List.of(), List.of());
    }

    private PlanNode filter(PlanNode child, Expression condition, List<TaggedExpression> tags) {
      if (condition == null) {
        return child;
      }
      Conversion conversion = converter.convert(condition);
      tags.add(conversion.tag());
      int origin = scope.originOf(List.of(condition), List.of(conversion.tag()), input);
      return new FilterNode(numbers.getAsInt(), child, conversion.expression(), origin);
    }
  }

  /** Returns a conjunction; the first operand is null for none. */
  static Expression and(Expression first, Expression second) {
    return first == null ? second : new And(first, second);
  }

  /** Returns the operands of nested conjunctions, in the order in which Spark computes them. */
  static List<Expression> conjuncts(Expression condition) {
    if (condition instanceof And and) {
      List<Expression> conjuncts = new ArrayList<>(conjuncts(and.left()));
      conjuncts.addAll(conjuncts(and.right()));
      return conjuncts;
    }
    return List.of(condition);
  }
}
