package io.ariadne.rules.exec.translation;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.SparkLine;
import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.bridge.expression.StageCodegen;
import io.ariadne.plan.FilterNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.expression.Conversion;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionConverter;
import io.ariadne.rules.expression.TaggedExpression;
import io.ariadne.rules.expression.TotalExpressions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.StringPredicate;

/**
 * Translates filters.
 *
 * <p>Spark computes the conjuncts of a condition in order. It stops at the first conjunct that is
 * not true or, where it generates no code for the filter, at the first that is false. The bridge
 * computes whole columns. So each bridged conjunct begins a separate filter, which sees only the
 * rows that passed the earlier conjuncts.
 */
public final class FilterTranslation {
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
  public static NodeConversion convert(
      Expression condition,
      List<? extends Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope) {
    return convert(conjuncts(condition), input, child, numbers, scope);
  }

  /**
   * Translates a filter whose condition has been divided.
   *
   * @param conjuncts in the order in which they are computed
   */
  public static NodeConversion convert(
      List<Expression> conjuncts,
      List<? extends Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope) {
    ExpressionConverter converter = new ExpressionConverter(input, scope);
    Expression ordered = conjuncts.stream().reduce(FilterTranslation::and).orElseThrow();
    Conversion whole = converter.convert(ordered);
    if (whole.translated().isPresent() && !whole.tag().isBridgedSomewhere()) {
      int origin = scope.originOf(List.of(ordered), List.of(whole.tag()), input);
      PlanNode node = new FilterNode(numbers.getAsInt(), child, whole.expression(), origin);
      return new NodeConversion(Optional.of(node), List.of(whole.tag()), List.of(), List.of());
    }
    return new Conjuncts(numbers, converter, input, scope).convert(conjuncts, child);
  }

  /**
   * Translates a filter over a projection that may raise. As in the code that Spark generates, what
   * a conjunct needs and may raise is computed for the rows that passed the conjuncts before it;
   * what no conjunct needs is computed behind the filter, and what is not deterministic before it.
   *
   * @param condition Spark's condition over the projection's output
   * @param input the projection
   */
  public static NodeConversion convertBelow(
      Expression condition, ProjectionInput input, IntSupplier numbers, ConversionScope scope) {
    return new Stages(input, numbers, scope).convert(condition);
  }

  /** Builds alternating projections and filters. */
  private static final class Stages {
    private final ProjectionInput input;
    private final IntSupplier numbers;
    private final ConversionScope scope;
    private final List<NamedExpression> waiting = new ArrayList<>();
    private List<Attribute> columns;
    private NodeConversion plan;

    Stages(ProjectionInput input, IntSupplier numbers, ConversionScope scope) {
      this.input = input;
      this.numbers = numbers;
      this.scope = scope;
      this.columns = input.columns();
      this.plan = NodeConversion.of(input.node());
      input.projections().stream().filter(Alias.class::isInstance).forEach(waiting::add);
    }

    NodeConversion convert(Expression condition) {
      compute(waiting.stream().filter(each -> !((Expression) each).deterministic()).toList());
      compute(
          neededBy(condition).stream()
              .filter(each -> TotalExpressions.neverRaises((Expression) each))
              .toList());
      Expression pending = null;
      for (Expression conjunct : conjuncts(condition)) {
        List<NamedExpression> needed = neededBy(conjunct);
        if (!needed.isEmpty()) {
          filter(pending);
          compute(needed);
          pending = null;
        }
        pending = and(pending, conjunct);
      }
      filter(pending);
      List<NamedExpression> output = new ArrayList<>();
      for (NamedExpression projection : input.projections()) {
        boolean isComputed = projection instanceof Alias && !waiting.contains(projection);
        output.add(isComputed ? projection.toAttribute() : projection);
      }
      project(output);
      return plan;
    }

    /** Returns projections that an expression uses and that have not been computed. */
    private List<NamedExpression> neededBy(Expression expression) {
      List<Attribute> references = ExpressionBridge.references(expression);
      return waiting.stream()
          .filter(each -> references.stream().anyMatch(r -> r.exprId().equals(each.exprId())))
          .toList();
    }

    private void compute(List<NamedExpression> needed) {
      if (needed.isEmpty()) {
        return;
      }
      List<NamedExpression> projections = new ArrayList<>(columns);
      projections.addAll(needed);
      waiting.removeAll(needed);
      project(projections);
      columns = projections.stream().map(NamedExpression::toAttribute).toList();
    }

    private void project(List<NamedExpression> projections) {
      List<Attribute> before = columns;
      plan =
          plan.then(node -> ProjectTranslation.convert(projections, before, node, numbers, scope));
    }

    private void filter(Expression condition) {
      if (condition != null) {
        List<Attribute> before = columns;
        plan =
            plan.then(node -> FilterTranslation.convert(condition, before, node, numbers, scope));
      }
    }
  }

  /** Puts filters in a row. */
  private record Conjuncts(
      IntSupplier numbers,
      ExpressionConverter converter,
      List<? extends Attribute> input,
      ConversionScope scope) {
    NodeConversion convert(List<Expression> conjuncts, PlanNode child) {
      List<TaggedExpression> tags = new ArrayList<>();
      List<String> reasons = new ArrayList<>();
      PlanNode node = child;
      Expression pending = null;
      for (Expression conjunct : conjuncts) {
        Conversion conversion = converter.convert(conjunct);
        // Kernels that compute all rows and may raise want a filter of their own as well.
        boolean isBridged =
            conversion.tag().isBridgedSomewhere()
                || conversion.tag().all().anyMatch(TaggedExpression::raisesUnmasked);
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
  public static Expression and(Expression first, Expression second) {
    return first == null ? second : new And(first, second);
  }

  /**
   * Returns conjuncts that, computed in their order and each for the rows that passed those before
   * it, choose Spark's rows and raise Spark's errors.
   */
  public static List<Expression> conjuncts(Expression condition) {
    List<Expression> operands = operands(condition);
    return StageCodegen.isPreventedBy(condition)
        ? interpretedOrder(operands)
        : generatedOrder(operands);
  }

  /**
   * Returns the operands in the order in which Spark's code computes them ({@code
   * GeneratePredicateHelper}): that a column is not null is asked where a conjunct first uses it,
   * that something else is not null at the end.
   */
  private static List<Expression> generatedOrder(List<Expression> operands) {
    List<Expression> nullChecks = new ArrayList<>();
    List<Expression> others = new ArrayList<>();
    for (Expression conjunct : operands) {
      boolean isCheck =
          conjunct instanceof IsNotNull check && SparkLine.isNullIntolerant(check.child());
      (isCheck ? nullChecks : others).add(conjunct);
    }
    List<Expression> ordered = new ArrayList<>();
    for (Expression conjunct : others) {
      for (Attribute used : ExpressionBridge.references(conjunct)) {
        nullChecks.stream()
            .filter(check -> ((IsNotNull) check).child().semanticEquals(used))
            .findFirst()
            .filter(nullChecks::remove)
            .ifPresent(ordered::add);
      }
      ordered.add(conjunct);
    }
    ordered.addAll(nullChecks);
    return ordered;
  }

  /**
   * Returns the operands as Spark computes them where it generates no code for the filter ({@code
   * CollapseCodegenStages}, {@code And.eval}): a conjunct that is NULL does not keep it from
   * computing the next, which may raise. So every conjunct before the last that may raise, if it
   * can be NULL, becomes two: {@code NOT (c <=> false)} in its place, and {@code c} at the end.
   */
  private static List<Expression> interpretedOrder(List<Expression> operands) {
    int last = operands.size() - 1;
    while (last >= 0 && TotalExpressions.neverRaises(operands.get(last))) {
      last--;
    }
    List<Expression> ordered = new ArrayList<>();
    List<Expression> again = new ArrayList<>();
    List<Attribute> present = new ArrayList<>();
    for (Expression operand : operands) {
      if (operand instanceof IsNotNull check && check.child() instanceof Attribute column) {
        present.add(column);
      }
      boolean isBeforeLast = ordered.size() < last;
      boolean maySplit = isBeforeLast && mayBeNull(operand, present) && operand.deterministic();
      ordered.add(maySplit ? isNotFalse(operand) : operand);
      if (maySplit) {
        again.add(operand);
      }
    }
    ordered.addAll(again);
    return ordered;
  }

  /**
   * Returns whether a condition may be NULL in rows in which the given columns are not NULL. A
   * comparison that cannot be NULL there is not wrapped, so that scans can use it.
   */
  private static boolean mayBeNull(Expression condition, List<Attribute> present) {
    if (!condition.nullable()) {
      return false;
    }
    if (condition instanceof Attribute column) {
      return present.stream().noneMatch(column::semanticEquals);
    }
    boolean isOfParts =
        condition instanceof BinaryComparison
            || condition instanceof StringPredicate
            || condition instanceof And
            || condition instanceof Or
            || condition instanceof Not;
    return !isOfParts
        || ScalaCollections.<Expression>list(condition.children()).stream()
            .anyMatch(part -> mayBeNull(part, present));
  }

  private static Expression isNotFalse(Expression condition) {
    return new Not(new EqualNullSafe(condition, Literal.FalseLiteral()));
  }

  private static List<Expression> operands(Expression condition) {
    if (condition instanceof And and) {
      List<Expression> operands = new ArrayList<>(operands(and.left()));
      operands.addAll(operands(and.right()));
      return operands;
    }
    return List.of(condition);
  }
}
