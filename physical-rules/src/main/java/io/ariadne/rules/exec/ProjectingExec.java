package io.ariadne.rules.exec;

import io.ariadne.rules.exec.translation.ProjectionInput;

/**
 * A node whose output is a projection. Spark's generated code computes a projected value only for
 * rows of which a node above uses it.
 */
interface ProjectingExec {
  /** Returns whether the projection may raise for some row. */
  boolean projectionMayRaise();

  /**
   * Returns the projection and the plan of its input. Called instead of {@code toPlanNode}.
   *
   * @param builder numbers the nodes and gathers inputs
   */
  ProjectionInput toProjectionInput(FragmentBuilder builder);
}
