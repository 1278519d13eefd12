package io.ariadne.rules.exec.translation;

import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.ExpressionColumns;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.plan.ScanNode;
import java.util.Optional;

/**
 * The columns of a scan as a node above sees them: directly, or through one projection, such as
 * Spark's own projection for the hidden column {@code _metadata}.
 *
 * @param input the input of the node above
 * @param scan the scan: the input itself, or a node below it
 */
public record ScanColumns(PlanNode input, ScanNode scan) {
  /** Returns the columns if the input is a scan or a projection of one. */
  public static Optional<ScanColumns> of(PlanNode input) {
    if (input instanceof ScanNode scan) {
      return Optional.of(new ScanColumns(input, scan));
    }
    return input instanceof ProjectNode project && project.child() instanceof ScanNode scan
        ? Optional.of(new ScanColumns(input, scan))
        : Optional.empty();
  }

  /**
   * Returns a condition over the input as one over the scan; empty when it needs what the
   * projection computes.
   */
  public Optional<Expression> below(Expression condition) {
    if (!(input instanceof ProjectNode project)) {
      return Optional.of(condition);
    }
    boolean[] isComputed = {false};
    Expression below =
        ExpressionColumns.replace(
            condition,
            reference -> {
              Expression projected = project.expressions().get(reference.index());
              isComputed[0] |= !(projected instanceof ColumnReference);
              return projected;
            });
    return isComputed[0] ? Optional.empty() : Optional.of(below);
  }
}
