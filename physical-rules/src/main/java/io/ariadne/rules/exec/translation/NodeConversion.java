package io.ariadne.rules.exec.translation;

import io.ariadne.plan.PlanNode;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Attribute;

/**
 * The outcome of translating one of Spark's plan nodes.
 *
 * @param node the topmost of our plan nodes, absent when there are reasons
 * @param expressions what was decided about the node's expressions
 * @param aggregates descriptions of the aggregates that kernels compute
 * @param reasons why the node cannot be translated
 */
public record NodeConversion(
    Optional<PlanNode> node,
    List<TaggedExpression> expressions,
    List<String> aggregates,
    List<String> reasons) {
  /** Checks for nulls and copies the lists. */
  public NodeConversion {
    Objects.requireNonNull(node, "node is null");
    expressions = List.copyOf(expressions);
    aggregates = List.copyOf(aggregates);
    reasons = List.copyOf(reasons);
  }

  /** Returns the success of a node without expressions. */
  public static NodeConversion of(PlanNode node) {
    return new NodeConversion(Optional.of(node), List.of(), List.of(), List.of());
  }

  /** Returns the outcome for a node that only forwards its columns: it depends on their types. */
  public static NodeConversion passing(List<Attribute> columns) {
    return AttributeSchemas.reasonAgainst(columns)
        .map(NodeConversion::failed)
        .orElseGet(() -> of(AttributeSchemas.placeholder(columns)));
  }

  /**
   * Returns this conversion if it has failed, otherwise the outcome of this conversion and of one
   * more node above it.
   *
   * @param above translates the upper node, given this conversion's plan node
   */
  public NodeConversion then(Function<PlanNode, NodeConversion> above) {
    if (node.isEmpty()) {
      return this;
    }
    NodeConversion other = above.apply(node.get());
    return new NodeConversion(
        other.node(),
        both(expressions, other.expressions()),
        both(aggregates, other.aggregates()),
        both(reasons, other.reasons()));
  }

  private static <T> List<T> both(List<T> some, List<T> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  /** Returns whether an expression of the node may raise for some input. */
  public boolean mayRaise() {
    return expressions.stream().anyMatch(TaggedExpression::mayRaise);
  }

  public static NodeConversion failed(List<TaggedExpression> expressions, List<String> reasons) {
    return new NodeConversion(Optional.empty(), expressions, List.of(), reasons);
  }

  /** Returns a failure with one reason. */
  public static NodeConversion failed(String reason) {
    return failed(List.of(), List.of(reason));
  }
}
