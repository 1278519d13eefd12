package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.SparkLine;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.FilterTranslation;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.exec.translation.ProjectTranslation;
import io.ariadne.rules.exec.translation.ProjectionInput;
import io.ariadne.rules.exec.translation.SortTranslation;
import io.ariadne.rules.expression.ConversionScope;
import java.util.List;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Rand;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SampleExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataTypes;

/**
 * Chooses rows at random, each at most once: Spark's {@code SampleExec} without replacement on
 * Ariadne. Spark draws a number for each row of a partition ({@code BernoulliCellSampler}) and
 * keeps the rows whose number is between two bounds. The numbers are those of Spark's function
 * {@code rand} with the same seed, so the node is a filter above a column of {@code rand}.
 */
public final class AriadneSampleExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  private final double lowerBound;
  private final double upperBound;
  private final long seed;
  private final String disabled;

  /**
   * Creates the node.
   *
   * @param lowerBound the least number of a chosen row
   * @param upperBound a number above that of every chosen row
   * @param seed seed of the numbers; the partition's index is added
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param child the input, one of our nodes
   */
  public AriadneSampleExec(
      Double lowerBound, Double upperBound, Long seed, String disabled, SparkPlan child) {
    super(child, new Object[] {lowerBound, upperBound, seed, disabled});
    this.lowerBound = lowerBound;
    this.upperBound = upperBound;
    this.seed = seed;
    this.disabled = disabled;
  }

  /**
   * Returns the node that replaces one of Spark's.
   *
   * @param spark a sample without replacement
   * @param disabled names of expressions that are switched off, joined by commas
   * @param child the input, one of our nodes
   */
  public static AriadneSampleExec of(SampleExec spark, String disabled, SparkPlan child) {
    return new AriadneSampleExec(
        spark.lowerBound(), spark.upperBound(), SparkLine.seed(spark), disabled, child);
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    ProjectionInput input =
        builder.buildBelowProjection(child()).orElseGet(() -> input(builder.build(child())));
    ConversionScope scope = builder.scope(names(disabled), input.node());
    return convert(input, () -> builder.number(this), scope)
        .node()
        .orElseThrow(this::notConvertible);
  }

  private ProjectionInput input(PlanNode node) {
    return new ProjectionInput(node, childColumns(), List.copyOf(childColumns()));
  }

  private NodeConversion convert(
      ProjectionInput input, IntSupplier numbers, ConversionScope scope) {
    Alias number =
        SortTranslation.alias(
            new Rand(new Literal(seed, DataTypes.LongType), false), "numberOfTheSample");
    ProjectionInput numbered = input.with(number);
    List<Attribute> columns =
        numbered.projections().stream().map(NamedExpression::toAttribute).toList();
    return FilterTranslation.convertBelow(isKept(number.toAttribute()), numbered, numbers, scope)
        .then(
            node ->
                ProjectTranslation.convert(
                    columns.subList(0, columns.size() - 1), columns, node, numbers, scope));
  }

  private Expression isKept(Attribute number) {
    return new And(
        new GreaterThanOrEqual(number, new Literal(lowerBound, DataTypes.DoubleType)),
        new LessThan(number, new Literal(upperBound, DataTypes.DoubleType)));
  }

  @Override
  public NodeConversion explainConversion() {
    List<Attribute> columns = childColumns();
    return AttributeSchemas.reasonAgainst(columns)
        .map(NodeConversion::failed)
        .orElseGet(
            () ->
                convert(
                    input(AttributeSchemas.placeholder(columns)),
                    () -> 0,
                    ConversionScope.trial(names(disabled))));
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return ScalaCollections.seq(childColumns());
  }

  @Override
  public Partitioning outputPartitioning() {
    return child().outputPartitioning();
  }
}
