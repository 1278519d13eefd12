package io.ariadne.it.sql;

import io.ariadne.rules.ExecutedPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Decides from plan and metrics whether a comparison tested its claim: the nodes ran, kernels
 * computed the expressions, and only the claimed expressions used the bridge.
 */
final class VacuityGate {
  private VacuityGate() {}

  /**
   * Checks a query that has run.
   *
   * @throws VacuousComparisonError naming every part of the claim that does not hold
   */
  static void require(Coverage claim, String sql, Outcome outcome) {
    ExecutedPlan plan = ExecutedPlan.of(outcome.plan());
    // After a failure or an empty answer there are no counts, so the plan decides.
    boolean countless = outcome.error() != null || outcome.rows().isEmpty();
    List<ExecutedPlan.Node> ran =
        plan.nodes().stream().filter(node -> countless || node.hasRun()).toList();
    List<String> violations = violations(claim, plan.withNodes(ran));
    if (!violations.isEmpty()) {
      throw new VacuousComparisonError(
          String.join("\n", violations) + "\nin " + sql + "\n" + outcome.plan());
    }
  }

  /**
   * Checks that a query's plan has a node, whatever else it has and whether or not it failed.
   *
   * @throws VacuousComparisonError when it does not
   */
  static void requireNode(String name, String sql, Outcome outcome) {
    if (ExecutedPlan.of(outcome.plan()).named(name).isEmpty()) {
      throw new VacuousComparisonError(name + " is not in " + sql + "\n" + outcome.plan());
    }
  }

  private static List<String> violations(Coverage claim, ExecutedPlan ran) {
    List<String> violations = new ArrayList<>();
    Set<String> names =
        ran.nodes().stream().map(ExecutedPlan.Node::name).collect(Collectors.toSet());
    add(violations, "did not run on Ariadne", minus(claim.nodes(), names));
    add(violations, "has no kernel here", minus(claim.kernels(), ran.kernelExpressions()));
    Set<String> bridged = new TreeSet<>(ran.bridgedExpressions());
    add(violations, "was not bridged", minus(claim.bridged(), bridged));
    add(violations, "was bridged without a claim", minus(bridged, claim.bridged()));
    for (String aggregate : claim.aggregates()) {
      if (ran.nodes().stream().noneMatch(node -> computes(node, aggregate))) {
        violations.add(aggregate + " was not aggregated on Ariadne");
      }
    }
    return violations;
  }

  /** Spark calls the halves of an aggregation {@code partial_sum} and {@code sum}. */
  private static boolean computes(ExecutedPlan.Node node, String aggregate) {
    Pattern pattern = Pattern.compile("^(partial_|merge_)?" + aggregate + "\\(.*", Pattern.DOTALL);
    return node.aggregates().stream().anyMatch(text -> pattern.matcher(text).matches());
  }

  private static void add(List<String> violations, String what, Set<String> names) {
    names.forEach(name -> violations.add(name + " " + what));
  }

  private static Set<String> minus(Set<String> some, Set<String> others) {
    Set<String> left = new TreeSet<>(some);
    left.removeAll(others);
    return left;
  }
}
