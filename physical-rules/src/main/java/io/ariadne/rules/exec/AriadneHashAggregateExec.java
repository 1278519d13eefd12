package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.expression.StageCodegen;
import io.ariadne.bridge.node.AriadneShuffleExchangeExec;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.AggregateSpec;
import io.ariadne.rules.exec.translation.AggregateTranslation;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.BridgedAggregates;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.exec.translation.ProjectionInput;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.filter.FilterRoles;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.aggregate.BaseAggregateExec;
import org.apache.spark.sql.execution.aggregate.ObjectHashAggregateExec;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import scala.Option;

/**
 * Aggregates with or without grouping, in any mode: Spark's {@code HashAggregateExec} and {@code
 * ObjectHashAggregateExec} on Ariadne. Its buffers are Spark's own.
 */
public final class AriadneHashAggregateExec extends AriadneFragmentExec implements ProjectingExec {
  private static final long serialVersionUID = 1L;

  private final scala.collection.immutable.Seq<NamedExpression> groupingExpressions;
  private final scala.collection.immutable.Seq<AggregateExpression> aggregateExpressions;
  private final scala.collection.immutable.Seq<Attribute> aggregateAttributes;
  private final scala.collection.immutable.Seq<NamedExpression> resultExpressions;
  private final String disabled;

  /**
   * Creates the node.
   *
   * @param groupingExpressions keys over the child's columns
   * @param aggregateExpressions the aggregates with their modes
   * @param aggregateAttributes names of the aggregates' results
   * @param resultExpressions output expressions
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param child the input, one of our nodes
   */
  public AriadneHashAggregateExec(
      scala.collection.immutable.Seq<NamedExpression> groupingExpressions,
      scala.collection.immutable.Seq<AggregateExpression> aggregateExpressions,
      scala.collection.immutable.Seq<Attribute> aggregateAttributes,
      scala.collection.immutable.Seq<NamedExpression> resultExpressions,
      String disabled,
      SparkPlan child) {
    super(
        child,
        new Object[] {
          groupingExpressions,
          aggregateExpressions,
          aggregateAttributes,
          resultExpressions,
          disabled
        });
    this.groupingExpressions = groupingExpressions;
    this.aggregateExpressions = aggregateExpressions;
    this.aggregateAttributes = aggregateAttributes;
    this.resultExpressions = resultExpressions;
    this.disabled = disabled;
  }

  /** Returns the grouping keys; empty for an aggregation without groups. */
  public List<NamedExpression> keys() {
    return ScalaCollections.list(groupingExpressions);
  }

  /** Returns the aggregates with their modes. */
  public List<AggregateExpression> aggregates() {
    return ScalaCollections.list(aggregateExpressions);
  }

  /**
   * Returns whether one thread aggregates each partition, because Spark's functions read rows in
   * order.
   */
  public boolean isOneThreaded() {
    return explainConversion().expressions().stream().anyMatch(BridgedAggregates::isBridged);
  }

  @Override
  boolean keepsBatches() {
    return true;
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    PlanNode input = builder.build(child());
    return AggregateTranslation.convert(
            spec(),
            childColumns(),
            input,
            () -> builder.number(this),
            builder.scope(names(disabled), input))
        .node()
        .orElseThrow(this::notConvertible);
  }

  /**
   * {@inheritDoc}
   *
   * <p>An aggregation without keys returns false: Spark computes the results of its one row even
   * when a filter above drops the row ({@code AggregateCodegenSupport.doProduceWithoutKeys}).
   */
  @Override
  public boolean projectionMayRaise() {
    return !keys().isEmpty()
        && spec().yieldsResults()
        && !StageCodegen.isPreventedIn(this)
        && explainConversion().mayRaise();
  }

  @Override
  public ProjectionInput toProjectionInput(FragmentBuilder builder) {
    PlanNode input = builder.build(child());
    AggregateSpec spec = spec();
    PlanNode aggregated =
        AggregateTranslation.convertWithoutResults(
                spec,
                childColumns(),
                input,
                () -> builder.number(this),
                builder.scope(names(disabled), input))
            .node()
            .orElseThrow(this::notConvertible);
    return new ProjectionInput(aggregated, spec.aggregatedAttributes(), spec.results());
  }

  @Override
  public NodeConversion explainConversion() {
    return tryConvert(spec(), childColumns(), ConversionScope.trial(names(disabled)));
  }

  /** Tries the translation of one of Spark's aggregations. */
  public static NodeConversion tryConvert(BaseAggregateExec node, ConversionScope scope) {
    if (node.isStreaming()) {
      return NodeConversion.failed("it is part of a streaming query");
    }
    List<Attribute> input = ScalaCollections.list(node.child().output());
    return tryConvert(AggregateSpec.of(node), input, scope);
  }

  /**
   * Tries the translation of one aggregate without groups, from rows to its result.
   *
   * @param aggregate in mode Complete
   * @param input the columns that it reads, and more
   * @param scope settings and replay table
   */
  public static NodeConversion tryConvert(
      AggregateExpression aggregate, List<Attribute> input, ConversionScope scope) {
    Attribute result = aggregate.resultAttribute();
    return tryConvert(
        new AggregateSpec(List.of(), List.of(aggregate), List.of(result), List.of(result)),
        input,
        scope);
  }

  private static NodeConversion tryConvert(
      AggregateSpec spec, List<Attribute> input, ConversionScope scope) {
    return AttributeSchemas.reasonAgainst(input)
        .map(NodeConversion::failed)
        .orElseGet(
            () ->
                AggregateTranslation.convert(
                    spec, input, AttributeSchemas.placeholder(input), () -> 0, scope));
  }

  /** Builds our node from Spark's. */
  public static AriadneHashAggregateExec of(
      BaseAggregateExec node, String disabled, SparkPlan child) {
    AggregateSpec spec = AggregateSpec.of(node);
    return new AriadneHashAggregateExec(
        ScalaCollections.seq(spec.keys()),
        ScalaCollections.seq(spec.aggregates()),
        ScalaCollections.seq(spec.aggregateAttributes()),
        ScalaCollections.seq(spec.results()),
        disabled,
        child);
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(
        spec().results().stream().map(NamedExpression::toAttribute).toList());
  }

  @Override
  public Partitioning outputPartitioning() {
    return spark().outputPartitioning();
  }

  /**
   * Spark's own node normalises the ids of result and buffer attributes, so equal aggregations stay
   * equal and exchanges above them are reused.
   */
  @Override
  public SparkPlan doCanonicalize() {
    ObjectHashAggregateExec canonical = (ObjectHashAggregateExec) spark().canonicalized();
    return of(canonical, disabled, canonical.child());
  }

  /**
   * Returns one aggregation that replaces a partial aggregation and this one, which is above it in
   * the same task. Empty when the two do not belong together, or when Spark's own functions
   * aggregate in one of them.
   *
   * @param partial the aggregation whose buffers this one reads
   * @param input the input of the result
   */
  public Optional<SparkPlan> completing(AriadneHashAggregateExec partial, SparkPlan input) {
    if (isOneThreaded() || partial.isOneThreaded()) {
      return Optional.empty();
    }
    return spec()
        .completing(partial.spec())
        .map(
            spec ->
                new AriadneHashAggregateExec(
                        ScalaCollections.seq(spec.keys()),
                        ScalaCollections.seq(spec.aggregates()),
                        aggregateAttributes,
                        resultExpressions,
                        disabled,
                        input)
                    .takeTagsFrom(this));
  }

  /**
   * Returns the aggregation that combines buffers of this one, which is a partial one, to buffers
   * of the same columns.
   *
   * @param buffers the input, one of our nodes
   */
  public AriadneHashAggregateExec merging(SparkPlan buffers) {
    AggregateSpec merging = spec().merging();
    return new AriadneHashAggregateExec(
        ScalaCollections.seq(merging.keys()),
        ScalaCollections.seq(merging.aggregates()),
        ScalaCollections.seq(merging.aggregateAttributes()),
        ScalaCollections.seq(merging.results()),
        disabled,
        buffers);
  }

  /** Returns the exchange of the output that places rows by their keys. */
  public AriadneShuffleExchangeExec exchange(Partitioning placement, SparkPlan rows) {
    return new AriadneShuffleExchangeExec(
        placement,
        ENSURE_REQUIREMENTS$.MODULE$,
        Option.empty(),
        new ExchangeShuffles(disabled, FilterRoles.EMPTY),
        rows);
  }

  /** Returns the equal node of the one class of Spark's that supports every aggregate. */
  private ObjectHashAggregateExec spark() {
    return new ObjectHashAggregateExec(
        Option.empty(),
        false,
        Option.empty(),
        groupingExpressions,
        aggregateExpressions,
        aggregateAttributes,
        0,
        resultExpressions,
        child());
  }

  private AggregateSpec spec() {
    return new AggregateSpec(
        ScalaCollections.list(groupingExpressions),
        ScalaCollections.list(aggregateExpressions),
        ScalaCollections.list(aggregateAttributes),
        ScalaCollections.list(resultExpressions));
  }
}
