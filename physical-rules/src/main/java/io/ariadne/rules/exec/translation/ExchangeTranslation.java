package io.ariadne.rules.exec.translation;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.plan.KeyFilterNode;
import io.ariadne.plan.PartitionNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.RangeNode;
import io.ariadne.plan.RoundRobinNode;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.filter.FilterRoles;
import io.ariadne.rules.filter.MapTaskFilters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Murmur3Hash;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.RangePartitioning;
import org.apache.spark.sql.catalyst.plans.physical.RoundRobinPartitioning;
import org.apache.spark.sql.execution.metric.SQLMetric;

/**
 * Translates the map side of exchanges. A node appends a number to each row, from which the row's
 * partition follows: a projection for partitions by hash, a {@link RangeNode} for ranges of keys, a
 * {@link RoundRobinNode} for round robin. Then a {@link PartitionNode} sorts the rows by partition.
 * An exchange with one partition needs neither node.
 */
public final class ExchangeTranslation {
  /** Spark's seed of hash partitioning, on which joins of two exchanges rely. */
  private static final int SEED = 42;

  private ExchangeTranslation() {}

  /**
   * How an exchange assigns rows to partitions.
   *
   * @param partitioning Spark's partitioning
   * @param partitions number of partitions
   * @param bounds the bounds between ranges of keys, one less than there are partitions; empty for
   *     other partitionings
   */
  public record Placement(Partitioning partitioning, int partitions, List<Object[]> bounds) {
    /** Returns the placement by a partitioning without bounds. */
    public static Placement of(Partitioning partitioning) {
      return new Placement(partitioning, partitioning.numPartitions(), List.of());
    }

    /** Returns whether rows are distributed round robin. */
    public boolean isRoundRobin() {
      return partitioning instanceof RoundRobinPartitioning;
    }

    /** Returns the placement by ranges, of which there may be fewer than Spark's plan says. */
    public static Placement of(RangePartitioning partitioning, List<Object[]> bounds) {
      return new Placement(partitioning, bounds.size() + 1, bounds);
    }
  }

  /**
   * The runtime filters of an exchange.
   *
   * @param roles what the exchange does for filters; only one that places rows by hash does any
   * @param droppedRows counts rows that have not passed a filter; null if there are no roles
   */
  public record Filters(FilterRoles roles, SQLMetric droppedRows) {
    static final Filters NONE = new Filters(FilterRoles.EMPTY, null);
  }

  /**
   * Translates a placement.
   *
   * @param placement where rows go
   * @param input the child's columns
   * @param child the child's plan
   * @param numbers gives plan nodes their numbers
   * @param scope settings and replay table
   * @param filters runtime filters
   * @return a plan whose output has the number of the partition in one more column, unless there is
   *     only one partition
   */
  public static NodeConversion convert(
      Placement placement,
      List<Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope,
      Filters filters) {
    int partitions = placement.partitions();
    if (partitions == 1) {
      return NodeConversion.of(child);
    }
    return placed(placement, input, child, numbers, scope, filters)
        .then(
            placed -> NodeConversion.of(new PartitionNode(numbers.getAsInt(), placed, partitions)));
  }

  private static NodeConversion placed(
      Placement placement,
      List<Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope,
      Filters filters) {
    if (placement.partitioning() instanceof RangePartitioning ranges) {
      return SortTranslation.convertKeyed(
          order(ranges),
          input,
          child,
          numbers,
          scope,
          (keyed, keys) ->
              new RangeNode(numbers.getAsInt(), keyed, input.size(), keys, placement.bounds()));
    }
    if (placement.isRoundRobin()) {
      return RoundRobinTranslation.convert(placement.partitions(), input, child, numbers, scope);
    }
    if (placement.partitioning().getClass() != HashPartitioning.class) {
      return NodeConversion.failed(
          "no kernel places rows by " + placement.partitioning().getClass().getSimpleName());
    }
    List<Expression> keys =
        ScalaCollections.list(((HashPartitioning) placement.partitioning()).expressions());
    Optional<String> reason = reasonAgainst(keys);
    if (reason.isPresent()) {
      return NodeConversion.failed(reason.get());
    }
    List<NamedExpression> columns = new ArrayList<>(input);
    FilterRoles roles = filters.roles();
    for (FilterRoles.Build build : roles.builds()) {
      columns.add(SortTranslation.alias(placeOf(build.keys()), "hash"));
    }
    columns.add(SortTranslation.alias(placeOf(keys), "partition"));
    NodeConversion hashed = ProjectTranslation.convert(columns, input, child, numbers, scope);
    return roles.isEmpty()
        ? hashed
        : hashed.then(
            node ->
                NodeConversion.of(
                    new KeyFilterNode(
                        numbers.getAsInt(),
                        node,
                        input.size(),
                        taskFilters(filters, input.size()))));
  }

  /**
   * Returns the filters of tasks.
   *
   * @param firstHash the column with the first of the hashes that are collected
   */
  private static MapTaskFilters taskFilters(Filters filters, int firstHash) {
    List<FilterRoles.Build> builds = filters.roles().builds();
    return new MapTaskFilters(
        builds.stream().map(FilterRoles.Build::id).toList(),
        IntStream.range(firstHash, firstHash + builds.size()).boxed().toList(),
        filters.roles().tested(),
        filters.droppedRows());
  }

  /** Returns the keys of ranges. */
  public static List<SortOrder> order(RangePartitioning ranges) {
    return ScalaCollections.list(ranges.ordering());
  }

  /**
   * Returns why rows cannot be placed by keys, or empty when they can. A key may be computed by
   * Spark's code, but what is hashed is of a type of ours: of others the function {@code hash} is
   * not what Spark places rows by. Of collated strings it hashes the bytes, {@code
   * HashPartitioning.partitionIdExpression} what they are compared by.
   */
  private static Optional<String> reasonAgainst(List<Expression> keys) {
    return keys.stream()
        .map(key -> SparkTypes.unsupportedReason(key.dataType()).map(reason -> key + ": " + reason))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Returns the number that, modulo the number of partitions, is the partition of a row. */
  private static Expression placeOf(List<? extends Expression> keys) {
    return new Murmur3Hash(ScalaCollections.seq(List.<Expression>copyOf(keys)), SEED);
  }

  /** Tries the translation of an exchange. */
  public static NodeConversion tryConvert(
      Partitioning partitioning, List<Attribute> input, ConversionScope scope) {
    return AttributeSchemas.reasonAgainst(input)
        .map(NodeConversion::failed)
        .orElseGet(
            () ->
                convert(
                    Placement.of(partitioning),
                    input,
                    AttributeSchemas.placeholder(input),
                    () -> 0,
                    scope,
                    Filters.NONE));
  }
}
