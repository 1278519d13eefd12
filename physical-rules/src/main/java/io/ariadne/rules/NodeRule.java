package io.ariadne.rules;

import io.ariadne.rules.exec.translation.NodeConversion;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.execution.SparkPlan;

/**
 * Declares that Ariadne has an operator for one class of Spark's plan nodes.
 *
 * @param <P> Spark's class, matched exactly: subclasses are unknown
 */
public interface NodeRule<P extends SparkPlan> {
  /** Returns Spark's class. */
  Class<P> sparkClass();

  /** Returns the name people disable and look up the operator by: Spark's class name. */
  default String name() {
    return sparkClass().getSimpleName();
  }

  /** Returns the limits of the operator, for the documentation. */
  String note();

  /**
   * Tries the translation and reports the outcome, without side effects.
   *
   * @param node a node of exactly this class
   * @param disabled names that the user switched off
   * @return the outcome: callers use its reasons and expressions, but not its plan node
   */
  NodeConversion tryConvert(P node, Set<String> disabled);

  /**
   * Returns what running this node on Ariadne gains, in the unit of {@link TransitionCost}.
   *
   * @param node a node of exactly this class
   * @param conversion the outcome of {@link #tryConvert}
   */
  int gain(P node, NodeConversion conversion);

  /**
   * Builds Ariadne's node; or Spark's node over a node of Ariadne's that does most of its work.
   *
   * @param node a node whose conversion succeeded
   * @param inputs its inputs in order: columnar nodes of Ariadne's
   * @param disabled names that the user switched off
   */
  SparkPlan convert(P node, List<SparkPlan> inputs, Set<String> disabled);
}
