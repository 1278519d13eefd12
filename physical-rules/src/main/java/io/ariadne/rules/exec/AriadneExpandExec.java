package io.ariadne.rules.exec;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.Schema;
import io.ariadne.plan.ExpandNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.rules.exec.translation.AttributeSchemas;
import io.ariadne.rules.exec.translation.NodeConversion;
import io.ariadne.rules.expression.Conversion;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionConverter;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.UnknownPartitioning;
import org.apache.spark.sql.execution.ExpandExec;
import org.apache.spark.sql.execution.SparkPlan;

/** Returns every row several times, for grouping sets: Spark's {@code ExpandExec} on Ariadne. */
public final class AriadneExpandExec extends AriadneFragmentExec {
  private static final long serialVersionUID = 1L;

  private final scala.collection.immutable.Seq<scala.collection.immutable.Seq<Expression>>
      projections;
  private final scala.collection.immutable.Seq<Attribute> columns;
  private final String disabled;

  /**
   * Creates the node.
   *
   * @param projections Spark's projections, each with one expression over the child's columns per
   *     output column
   * @param columns the output
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param child the input, one of our nodes
   */
  public AriadneExpandExec(
      scala.collection.immutable.Seq<scala.collection.immutable.Seq<Expression>> projections,
      scala.collection.immutable.Seq<Attribute> columns,
      String disabled,
      SparkPlan child) {
    super(child, new Object[] {projections, columns, disabled});
    this.projections = projections;
    this.columns = columns;
    this.disabled = disabled;
  }

  /**
   * Creates the node that replaces one of Spark's.
   *
   * @param node Spark's node
   * @param disabled names of expressions that were switched off at planning, joined by commas
   * @param child the input, one of our nodes
   */
  public static AriadneExpandExec of(ExpandExec node, String disabled, SparkPlan child) {
    return new AriadneExpandExec(
        ScalaCollections.seq(
            projectionsOf(node).stream()
                .<scala.collection.immutable.Seq<Expression>>map(ScalaCollections::seq)
                .toList()),
        ScalaCollections.seq(ScalaCollections.<Attribute>list(node.output())),
        disabled,
        child);
  }

  /** Tries the translation. */
  public static NodeConversion tryConvert(ExpandExec node, ConversionScope scope) {
    List<Attribute> input = ScalaCollections.list(node.child().output());
    List<Attribute> output = ScalaCollections.list(node.output());
    return AttributeSchemas.reasonAgainst(input)
        .or(() -> AttributeSchemas.reasonAgainst(output))
        .map(NodeConversion::failed)
        .orElseGet(
            () ->
                convert(
                    projectionsOf(node),
                    input,
                    output,
                    AttributeSchemas.placeholder(input),
                    () -> 0,
                    scope));
  }

  private static List<List<Expression>> projectionsOf(ExpandExec node) {
    return ScalaCollections.<scala.collection.Seq<Expression>>list(node.projections()).stream()
        .map(ScalaCollections::<Expression>list)
        .toList();
  }

  private static NodeConversion convert(
      List<List<Expression>> projections,
      List<Attribute> input,
      List<Attribute> output,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope) {
    ExpressionConverter converter = new ExpressionConverter(input, scope);
    List<TaggedExpression> tags = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    List<List<io.ariadne.expression.Expression>> translated = new ArrayList<>();
    for (List<Expression> projection : projections) {
      List<io.ariadne.expression.Expression> values = new ArrayList<>();
      for (Expression value : projection) {
        Conversion conversion = converter.convert(value);
        tags.add(conversion.tag());
        if (conversion.translated().isEmpty()) {
          reasons.add(value + ": " + conversion.tag().reason());
        } else if (conversion.tag().mayRaise()) {
          reasons.add(value + " may raise");
        } else {
          values.add(conversion.expression());
        }
      }
      translated.add(values);
    }
    if (!reasons.isEmpty()) {
      return NodeConversion.failed(tags, reasons);
    }
    Schema schema = AttributeSchemas.schema(output);
    return new NodeConversion(
        Optional.of(new ExpandNode(numbers.getAsInt(), child, translated, schema)),
        tags,
        List.of(),
        List.of());
  }

  private NodeConversion convert(PlanNode input, IntSupplier numbers, ConversionScope scope) {
    List<List<Expression>> values =
        ScalaCollections.<scala.collection.immutable.Seq<Expression>>list(projections).stream()
            .map(ScalaCollections::<Expression>list)
            .toList();
    return convert(values, childColumns(), ScalaCollections.list(columns), input, numbers, scope);
  }

  @Override
  PlanNode toPlanNode(FragmentBuilder builder) {
    PlanNode input = builder.build(child());
    return convert(input, () -> builder.number(this), builder.scope(names(disabled), input))
        .node()
        .orElseThrow(this::notConvertible);
  }

  @Override
  public NodeConversion explainConversion() {
    return convert(
        AttributeSchemas.placeholder(childColumns()),
        () -> 0,
        ConversionScope.trial(names(disabled)));
  }

  @Override
  public scala.collection.immutable.Seq<Attribute> output() {
    return columns;
  }

  @Override
  public Partitioning outputPartitioning() {
    return new UnknownPartitioning(0);
  }
}
