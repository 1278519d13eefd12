package io.ariadne.rules;

import io.ariadne.rules.expression.AggregateRules;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionRules;
import java.util.Set;
import java.util.TreeSet;

/** The names of everything that is declared as supported. */
public final class SupportedOperations {
  private SupportedOperations() {}

  /**
   * Returns the names by which operators, expressions, aggregates, the bridge and the cost rule are
   * disabled.
   */
  public static Set<String> names() {
    Set<String> names = new TreeSet<>();
    NodeRules.all().forEach(rule -> names.add(rule.name()));
    ExpressionRules.all().forEach(rule -> names.add(rule.name()));
    AggregateRules.all().forEach(rule -> names.add(rule.name()));
    names.add(ConversionScope.BRIDGE);
    names.add(TransitionCost.NAME);
    return names;
  }
}
