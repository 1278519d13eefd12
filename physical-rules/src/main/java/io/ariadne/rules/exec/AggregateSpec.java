package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.expression.AggregateMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;

/**
 * What one of Spark's hash aggregations computes.
 *
 * @param keys grouping expressions over the child's columns
 * @param aggregates the aggregates
 * @param aggregateAttributes names of the aggregates' results, in modes that end in results
 * @param results output expressions
 */
record AggregateSpec(
    List<NamedExpression> keys,
    List<AggregateExpression> aggregates,
    List<Attribute> aggregateAttributes,
    List<NamedExpression> results) {

  /** Reads Spark's node. */
  static AggregateSpec of(HashAggregateExec node) {
    return new AggregateSpec(
        ScalaCollections.list(node.groupingExpressions()),
        ScalaCollections.list(node.aggregateExpressions()),
        ScalaCollections.list(node.aggregateAttributes()),
        ScalaCollections.list(node.resultExpressions()));
  }

  /** Returns this with the results of scalar subqueries in their place. */
  AggregateSpec withSubqueryResults() {
    List<AggregateExpression> resolved =
        aggregates.stream().map(a -> (AggregateExpression) SubqueryResults.insert(a)).toList();
    return new AggregateSpec(
        SubqueryResults.insert(keys),
        resolved,
        aggregateAttributes,
        SubqueryResults.insert(results));
  }

  /** Returns the names of the modes of the aggregates. */
  Set<String> modes() {
    Set<String> modes = new TreeSet<>();
    aggregates.forEach(aggregate -> modes.add(aggregate.mode().toString()));
    return modes;
  }

  /** Returns the one mode of all aggregates; without aggregates all modes are the same. */
  Optional<AggregateMode> mode() {
    Set<String> modes = modes();
    if (modes.isEmpty()) {
      return Optional.of(AggregateMode.COMPLETE);
    }
    return modes.size() > 1 ? Optional.empty() : Optional.of(modeOf(modes.iterator().next()));
  }

  /** Returns whether the output is computed from results, not the buffers as they are. */
  boolean yieldsResults() {
    AggregateMode mode = mode().orElseThrow();
    return mode == AggregateMode.FINAL || mode == AggregateMode.COMPLETE;
  }

  /** Returns the columns over which {@link #results} are written. */
  List<Attribute> aggregatedAttributes() {
    List<Attribute> attributes = new ArrayList<>();
    keys.forEach(key -> attributes.add(key.toAttribute()));
    attributes.addAll(aggregateAttributes);
    return attributes;
  }

  /** Returns how many buffer columns all aggregates have together. */
  int bufferColumns() {
    return aggregates.stream().mapToInt(AggregateSpec::bufferColumns).sum();
  }

  static int bufferColumns(AggregateExpression aggregate) {
    return aggregate.aggregateFunction().aggBufferAttributes().size();
  }

  private static AggregateMode modeOf(String sparkName) {
    return "PartialMerge".equals(sparkName)
        ? AggregateMode.PARTIAL_MERGE
        : AggregateMode.valueOf(sparkName.toUpperCase(Locale.ROOT));
  }
}
