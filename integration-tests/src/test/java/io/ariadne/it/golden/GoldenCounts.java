package io.ariadne.it.golden;

import io.ariadne.rules.ExecutedPlan;
import java.util.Set;
import java.util.TreeSet;

/** Counts of what was compared, so that a comparison cannot pass by comparing nothing. */
final class GoldenCounts {
  private final Set<String> kernels = new TreeSet<>();
  private final Set<String> bridged = new TreeSet<>();
  private int statements;
  private int recorded;
  private int likeSpark;
  private int onAriadne;

  /** Counts an answer that is the recorded one. */
  void addRecorded(GoldenAnswer answer) {
    statements++;
    recorded++;
    look(answer);
  }

  /** Counts an answer that is Spark's here, although not the recorded one. */
  void addLikeSpark(GoldenAnswer answer) {
    statements++;
    likeSpark++;
    look(answer);
  }

  private void look(GoldenAnswer answer) {
    if (answer.plan() == null) {
      return;
    }
    ExecutedPlan plan = ExecutedPlan.of(answer.plan());
    onAriadne += plan.nodes().isEmpty() ? 0 : 1;
    kernels.addAll(plan.kernelExpressions());
    bridged.addAll(plan.bridgedExpressions());
  }

  /** Returns how many statements had a node of Ariadne's in their plan. */
  int onAriadne() {
    return onAriadne;
  }

  /** Returns the Spark class names of the expressions that kernels computed. */
  Set<String> kernels() {
    return kernels;
  }

  @Override
  public String toString() {
    return "%d runs, %d as recorded, %d as Spark answers here, %d with nodes of Ariadne,"
            .formatted(statements, recorded, likeSpark, onAriadne)
        + " %d expressions by kernels, %d bridged".formatted(kernels.size(), bridged.size());
  }
}
