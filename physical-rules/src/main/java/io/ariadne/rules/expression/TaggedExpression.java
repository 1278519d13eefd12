package io.ariadne.rules.expression;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Expression;

/**
 * The decision about one Spark expression, and its reason.
 *
 * @param expression Spark's expression
 * @param placement where it is computed
 * @param reason why no kernel computes it; empty for {@link Placement#KERNEL}
 * @param operands the parts with their own decisions; none under a bridged expression, which the
 *     JVM computes as a whole
 * @param mayRaise whether it, or one of its operands, may raise for some input
 * @param raisesUnmasked whether it may itself raise also for rows for which Spark does not compute
 *     it; programs do not, because they know these rows
 */
public record TaggedExpression(
    Expression expression,
    Placement placement,
    String reason,
    List<TaggedExpression> operands,
    boolean mayRaise,
    boolean raisesUnmasked) {
  /** Checks for nulls and copies the list. */
  public TaggedExpression {
    Objects.requireNonNull(expression, "expression is null");
    Objects.requireNonNull(placement, "placement is null");
    Objects.requireNonNull(reason, "reason is null");
    operands = List.copyOf(operands);
  }

  /** Returns this and everything below it, parents first. */
  public Stream<TaggedExpression> all() {
    return Stream.concat(Stream.of(this), operands.stream().flatMap(TaggedExpression::all));
  }

  /** Returns whether some part of this expression goes through the JVM. */
  public boolean isBridgedSomewhere() {
    return all().anyMatch(tag -> tag.placement() == Placement.BRIDGE);
  }

  /** Returns whether a kernel computes anything here that is more than a column or a constant. */
  public boolean computesInKernel() {
    return all().anyMatch(tag -> tag.placement() == Placement.KERNEL && !tag.operands().isEmpty());
  }
}
