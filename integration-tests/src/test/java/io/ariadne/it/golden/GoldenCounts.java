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
  private int inOtherOrder;
  private int likeSpark;
  private int notAsRecorded;
  private int onAriadne;

  /**
   * Counts an answer that is the recorded one.
   *
   * @param isInOrder false when the rows came in another order than recorded although the statement
   *     asks for one, which equal keys allow
   */
  void addRecorded(GoldenAnswer answer, boolean isInOrder) {
    statements++;
    recorded++;
    inOtherOrder += isInOrder ? 0 : 1;
    look(answer);
  }

  /**
   * Counts an answer that is Spark's here, although not the recorded one.
   *
   * @param isAsRecorded whether the statement ran under the settings of the record
   */
  void addLikeSpark(GoldenAnswer answer, boolean isAsRecorded) {
    statements++;
    likeSpark++;
    notAsRecorded += isAsRecorded ? 1 : 0;
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

  /** Returns how many answers had rows in another order than recorded. */
  int inOtherOrder() {
    return inOtherOrder;
  }

  /** Returns how many statements, run as recorded, had another outcome. */
  int notAsRecorded() {
    return notAsRecorded;
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
