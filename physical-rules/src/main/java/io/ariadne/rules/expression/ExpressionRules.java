package io.ariadne.rules.expression;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Expression;

/** All declared {@link ExpressionRule}s, of all families. */
public final class ExpressionRules {
  private static final Map<Class<?>, ExpressionRule<?>> BY_CLASS =
      Stream.of(
              ArithmeticRules.rules(),
              MathRules.rules(),
              PredicateRules.rules(),
              ConditionalRules.rules(),
              CastRules.rules(),
              DateTimeRules.rules(),
              TimestampRules.rules(),
              NestedRules.rules(),
              HashRules.rules(),
              StringRules.rules(),
              StringProducerRules.rules(),
              CodedStringRules.rules(),
              LeafRules.rules())
          .flatMap(List::stream)
          .collect(Collectors.toUnmodifiableMap(ExpressionRule::sparkClass, Function.identity()));

  private ExpressionRules() {}

  /** Returns the rule for exactly this class. */
  static Optional<ExpressionRule<?>> forClass(Class<? extends Expression> sparkClass) {
    return Optional.ofNullable(BY_CLASS.get(sparkClass));
  }

  /** Returns all rules, ordered by name. */
  public static List<ExpressionRule<?>> all() {
    Map<String, ExpressionRule<?>> byName = new TreeMap<>();
    BY_CLASS.values().forEach(rule -> byName.put(rule.name(), rule));
    return List.copyOf(byName.values());
  }
}
