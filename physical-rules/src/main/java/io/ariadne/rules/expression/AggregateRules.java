package io.ariadne.rules.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.SparkLine;
import io.ariadne.expression.AggregateFunction;
import io.ariadne.expression.EvaluationMode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Add;
import org.apache.spark.sql.catalyst.expressions.CheckOverflowInSum;
import org.apache.spark.sql.catalyst.expressions.DecimalDivideWithOverflowCheck;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.aggregate.Average;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitAndAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitOrAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.BitXorAgg;
import org.apache.spark.sql.catalyst.expressions.aggregate.CollectList;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.First;
import org.apache.spark.sql.catalyst.expressions.aggregate.Last;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.types.DataTypes;

/** All declared {@link AggregateRule}s. */
public final class AggregateRules {
  private static final List<AggregateRule<?>> ALL =
      List.of(
          new AggregateRule<>(
              Average.class,
              AggregateFunction.AVERAGE,
              average -> AggregateFunction.AVERAGE,
              AggregateRules::mode,
              AggregateRules::averageRaiser),
          AggregateRule.total(BitAndAgg.class, AggregateFunction.BIT_AND),
          AggregateRule.total(BitOrAgg.class, AggregateFunction.BIT_OR),
          AggregateRule.total(BitXorAgg.class, AggregateFunction.BIT_XOR),
          AggregateRule.total(CollectList.class, AggregateFunction.COLLECT_LIST),
          AggregateRule.total(Count.class, AggregateFunction.COUNT),
          AggregateRule.total(
              First.class,
              AggregateFunction.FIRST,
              first ->
                  first.ignoreNulls() ? AggregateFunction.FIRST_NON_NULL : AggregateFunction.FIRST),
          AggregateRule.total(
              Last.class,
              AggregateFunction.LAST,
              last ->
                  last.ignoreNulls() ? AggregateFunction.LAST_NON_NULL : AggregateFunction.LAST),
          AggregateRule.total(Max.class, AggregateFunction.MAX),
          AggregateRule.total(Min.class, AggregateFunction.MIN),
          new AggregateRule<>(
              Sum.class,
              AggregateFunction.SUM,
              sum -> AggregateFunction.SUM,
              AggregateRules::mode,
              AggregateRules::sumRaiser));

  private AggregateRules() {}

  /** Returns all rules, ordered by name. */
  public static List<AggregateRule<?>> all() {
    return ALL.stream().sorted(Comparator.comparing(AggregateRule::name)).toList();
  }

  /** Returns the rule for exactly this class. */
  static Optional<AggregateRule<?>> forClass(Class<?> sparkClass) {
    return ALL.stream()
        .filter(rule -> rule.sparkClass() == sparkClass)
        .<AggregateRule<?>>map(rule -> rule)
        .findFirst();
  }

  private static EvaluationMode mode(Expression function) {
    return EvaluationMode.valueOf(SparkLine.evalMode(function));
  }

  /**
   * The largest number plus one for integers; for decimals the check of the buffer, where null is a
   * sum that has overflowed.
   */
  private static Optional<Expression> sumRaiser(Sum sum) {
    Optional<CheckOverflowInSum> check = first(evaluate(sum), CheckOverflowInSum.class);
    if (check.isPresent()) {
      return Optional.of(check.get());
    }
    return update(sum)
        .flatMap(part -> first(Stream.of(part), Add.class).stream())
        .filter(add -> add.dataType().equals(DataTypes.LongType))
        .findFirst()
        .map(add -> add.withNewChildren(ScalaCollections.seq(largestAndOne())));
  }

  private static List<Expression> largestAndOne() {
    return List.of(
        Literal.create(Long.MAX_VALUE, DataTypes.LongType), Literal.create(1L, DataTypes.LongType));
  }

  private static Optional<Expression> averageRaiser(Average average) {
    return first(evaluate(average), DecimalDivideWithOverflowCheck.class).map(part -> part);
  }

  private static Stream<Expression> evaluate(DeclarativeAggregate function) {
    return Stream.of(function.evaluateExpression());
  }

  private static Stream<Expression> update(DeclarativeAggregate function) {
    return ScalaCollections.<Expression>list(function.updateExpressions()).stream();
  }

  private static <E extends Expression> Optional<E> first(
      Stream<Expression> expressions, Class<E> wanted) {
    return expressions
        .flatMap(expression -> ExpressionParts.parts(expression).stream())
        .filter(part -> part.getClass() == wanted)
        .map(wanted::cast)
        .findFirst();
  }
}
