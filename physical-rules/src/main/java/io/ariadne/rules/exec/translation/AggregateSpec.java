package io.ariadne.rules.exec.translation;

import io.ariadne.bridge.ScalaCollections;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateMode;
import org.apache.spark.sql.catalyst.expressions.aggregate.Complete$;
import org.apache.spark.sql.catalyst.expressions.aggregate.Final$;
import org.apache.spark.sql.catalyst.expressions.aggregate.Partial$;
import org.apache.spark.sql.catalyst.expressions.aggregate.PartialMerge$;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import scala.Option;

/**
 * The specification of one of Spark's aggregations.
 *
 * @param keys grouping expressions over the child's columns
 * @param aggregates the aggregates
 * @param aggregateAttributes names of the aggregates' results, in modes that yield results
 * @param results output expressions
 */
public record AggregateSpec(
    List<NamedExpression> keys,
    List<AggregateExpression> aggregates,
    List<Attribute> aggregateAttributes,
    List<NamedExpression> results) {

  /** Reads Spark's node. */
  public static AggregateSpec of(BaseAggregateExec node) {
    return new AggregateSpec(
        ScalaCollections.list(node.groupingExpressions()),
        ScalaCollections.list(node.aggregateExpressions()),
        ScalaCollections.list(node.aggregateAttributes()),
        ScalaCollections.list(node.resultExpressions()));
  }

  /**
   * Returns whether the output has results, which {@link #results} compute, or else buffers.
   * Spark's planner never mixes the two in one node.
   */
  public boolean yieldsResults() {
    return aggregates.stream().map(AggregateExpression::mode).allMatch(AggregateSpec::isLast);
  }

  /** Returns whether aggregates that yield results are beside some that yield buffers. */
  boolean mixesResultsAndBuffers() {
    return !yieldsResults()
        && aggregates.stream().map(AggregateExpression::mode).anyMatch(AggregateSpec::isLast);
  }

  /**
   * Returns this specification with the keys and aggregates of a partial aggregation whose output
   * this one reads directly; empty when this is not the next step after the partial aggregation.
   */
  public Optional<AggregateSpec> completing(AggregateSpec partial) {
    boolean isPair =
        ids(partial.keys).equals(ids(keys))
            && keys.stream().allMatch(Attribute.class::isInstance)
            && partial.aggregates.size() == aggregates.size()
            && partial.yieldsKeysAndBuffers();
    List<AggregateExpression> merged = new ArrayList<>();
    for (int i = 0; isPair && i < aggregates.size(); i++) {
      AggregateExpression first = partial.aggregates.get(i);
      AggregateExpression next = aggregates.get(i);
      isPair =
          first.mode() == Partial$.MODULE$
              && merges(next)
              && first.resultId().equals(next.resultId());
      boolean isEnd = next.mode() == Final$.MODULE$;
      merged.add(inMode(first, isEnd ? Complete$.MODULE$ : Partial$.MODULE$));
    }
    return isPair
        ? Optional.of(new AggregateSpec(partial.keys, merged, aggregateAttributes, results))
        : Optional.empty();
  }

  /** Without aggregates the output may be anything computed of the keys. */
  private boolean yieldsKeysAndBuffers() {
    return !aggregates.isEmpty() || ids(results).equals(ids(keys));
  }

  private static List<ExprId> ids(List<NamedExpression> expressions) {
    return expressions.stream().map(NamedExpression::exprId).toList();
  }

  private static AggregateExpression inMode(AggregateExpression aggregate, AggregateMode mode) {
    return aggregate.copy(
        aggregate.aggregateFunction(),
        mode,
        aggregate.isDistinct(),
        aggregate.filter(),
        aggregate.resultId());
  }

  /**
   * Returns the aggregation that combines buffers of this one to buffers of the same columns.
   *
   * @throws IllegalStateException if this one does not yield buffers of rows
   */
  public AggregateSpec merging() {
    if (!yieldsKeysAndBuffers()
        || aggregates.stream().anyMatch(each -> each.mode() != Partial$.MODULE$)) {
      throw new IllegalStateException("no partial aggregation: " + aggregates);
    }
    List<AggregateExpression> merged = new ArrayList<>();
    for (AggregateExpression each : aggregates) {
      // The partial aggregation has applied the filter.
      merged.add(
          each.copy(
              each.aggregateFunction(),
              PartialMerge$.MODULE$,
              each.isDistinct(),
              Option.empty(),
              each.resultId()));
    }
    return new AggregateSpec(
        keys.stream().<NamedExpression>map(NamedExpression::toAttribute).toList(),
        merged,
        merged.stream().map(AggregateExpression::resultAttribute).toList(),
        results.stream().<NamedExpression>map(NamedExpression::toAttribute).toList());
  }

  private static boolean isLast(AggregateMode mode) {
    return mode == Final$.MODULE$ || mode == Complete$.MODULE$;
  }

  /** Returns whether an aggregate takes buffers in. */
  static boolean merges(AggregateExpression aggregate) {
    return aggregate.mode() == Final$.MODULE$ || aggregate.mode() == PartialMerge$.MODULE$;
  }

  /** Returns the columns over which {@link #results} are written. */
  public List<Attribute> aggregatedAttributes() {
    List<Attribute> attributes = new ArrayList<>();
    keys.forEach(key -> attributes.add(key.toAttribute()));
    attributes.addAll(aggregateAttributes);
    return attributes;
  }

  /** Returns how many buffer columns the input has: those of all aggregates that merge. */
  int inputBufferColumns() {
    return aggregates.stream()
        .filter(AggregateSpec::merges)
        .mapToInt(AggregateSpec::bufferColumns)
        .sum();
  }

  static int bufferColumns(AggregateExpression aggregate) {
    return aggregate.aggregateFunction().aggBufferAttributes().size();
  }
}
