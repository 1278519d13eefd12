package io.ariadne.rules.exec.translation;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.expression.ExpressionBridge;
import io.ariadne.bridge.expression.SparkAggregationFunction;
import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.plan.BridgedAggregateNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.rules.expression.ColumnTypes;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.Placement;
import io.ariadne.rules.expression.TaggedExpression;
import io.ariadne.rules.expression.UserCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.CountMinSketchAgg;

/**
 * Translates aggregations of which Spark's own functions compute all aggregates, because one of
 * them has no kernel. Ariadne finds the groups and executes the other nodes of the fragment.
 */
public final class BridgedAggregates {
  private final AggregateSpec spec;
  private final List<? extends Attribute> input;

  /**
   * Creates the translation.
   *
   * @param spec what Spark's node computes
   * @param input the child's columns
   */
  public BridgedAggregates(AggregateSpec spec, List<? extends Attribute> input) {
    this.spec = spec;
    this.input = input;
  }

  /** Returns why Spark's functions cannot do it here, or empty when they can. */
  public Optional<String> reasonAgainst(ConversionScope scope) {
    if (scope.disabled().contains(ConversionScope.BRIDGE)) {
      return Optional.of("the expression bridge is disabled");
    }
    return spec.aggregates().stream()
        .map(aggregate -> reasonAgainst(aggregate, scope))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Returns whether a tag is that of an aggregate which Spark's function computes. */
  public static boolean isBridged(TaggedExpression tag) {
    return tag.placement() == Placement.BRIDGE && tag.expression() instanceof AggregateFunction;
  }

  private Optional<String> reasonAgainst(AggregateExpression aggregate, ConversionScope scope) {
    String name = aggregate.aggregateFunction().getClass().getSimpleName();
    if (scope.disabled().contains(name)) {
      return Optional.of("aggregate " + name + " is disabled");
    }
    if (!isPlain(aggregate.aggregateFunction(), true)
        || (aggregate.filter().isDefined() && !isPlain(aggregate.filter().get(), false))) {
      return Optional.of(name + " has user code or is not deterministic");
    }
    if (ExpressionBridge.dependsOnRowsBefore(aggregate)) {
      return Optional.of(name + " reads a variant by the records before it");
    }
    return SparkAggregationFunction.reasonAgainst(aggregate)
        .or(() -> sizeReason(aggregate))
        .or(() -> positionReason(aggregate))
        .or(() -> typeReason(aggregate));
  }

  private Optional<String> sizeReason(AggregateExpression aggregate) {
    return aggregate.aggregateFunction() instanceof CountMinSketchAgg && !spec.keys().isEmpty()
        ? Optional.of("a sketch per group is as large for one row as for many")
        : Optional.empty();
  }

  /** First, collect_list and the like are not deterministic themselves: rows come in order here. */
  private static boolean isPlain(
      org.apache.spark.sql.catalyst.expressions.Expression expression, boolean isFunction) {
    List<org.apache.spark.sql.catalyst.expressions.Expression> children =
        ScalaCollections.list(expression.children());
    boolean isSafe = isFunction || expression.deterministic();
    return isSafe
        && !UserCode.isCalledBy(expression)
        && children.stream().allMatch(child -> isPlain(child, false));
  }

  private Optional<String> positionReason(AggregateExpression aggregate) {
    return SparkAggregationFunction.readBy(aggregate).stream()
        .filter(attribute -> positionOf(attribute) < 0)
        .map(attribute -> attribute + " is no column of the input")
        .findFirst();
  }

  private Optional<String> typeReason(AggregateExpression aggregate) {
    List<org.apache.spark.sql.types.DataType> types = new ArrayList<>();
    types.add(aggregate.dataType());
    for (Attribute buffer :
        ScalaCollections.<Attribute>list(aggregate.aggregateFunction().aggBufferAttributes())) {
      types.add(buffer.dataType());
    }
    SparkAggregationFunction.readBy(aggregate).forEach(read -> types.add(read.dataType()));
    return types.stream()
        .filter(type -> ColumnTypes.of(type).isEmpty())
        .map(type -> "type " + type.sql() + " is not supported")
        .findFirst();
  }

  private int positionOf(Attribute attribute) {
    for (int i = 0; i < input.size(); i++) {
      if (input.get(i).exprId().equals(attribute.exprId())) {
        return i;
      }
    }
    return -1;
  }

  /** Returns what was decided about the aggregates. */
  public List<TaggedExpression> tags() {
    List<TaggedExpression> tags = new ArrayList<>();
    for (AggregateExpression aggregate : spec.aggregates()) {
      tags.add(
          new TaggedExpression(
              aggregate.aggregateFunction(),
              Placement.BRIDGE,
              "an aggregate beside it or itself has no kernel",
              List.of(),
              false,
              false));
    }
    return tags;
  }

  /**
   * Builds the plan; only when nothing speaks against it.
   *
   * @param child the child's plan
   * @param keys the keys over the child's columns
   * @param numbers gives plan nodes their numbers
   * @param isTrial whether the plan is never executed
   */
  public PlanNode build(
      PlanNode child, List<Expression> keys, IntSupplier numbers, boolean isTrial) {
    List<Attribute> values = new ArrayList<>();
    List<Expression> columns = new ArrayList<>(keys);
    for (AggregateExpression aggregate : spec.aggregates()) {
      for (Attribute attribute : SparkAggregationFunction.readBy(aggregate)) {
        if (values.stream().noneMatch(known -> known.exprId().equals(attribute.exprId()))) {
          values.add(attribute);
          columns.add(column(positionOf(attribute)));
        }
      }
    }
    for (int i = input.size() - spec.inputBufferColumns(); i < input.size(); i++) {
      columns.add(column(i));
    }
    List<Field> fields = new ArrayList<>();
    for (Expression column : columns) {
      fields.add(new Field("c" + fields.size(), column.type(), column.nullable()));
    }
    PlanNode projected = new ProjectNode(numbers.getAsInt(), child, columns, new Schema(fields));
    SparkAggregationFunction function =
        isTrial
            ? SparkAggregationFunction.trial(spec.aggregates(), spec.yieldsResults())
            : SparkAggregationFunction.of(spec.aggregates(), values, spec.yieldsResults());
    return new BridgedAggregateNode(
        numbers.getAsInt(), projected, keys.size(), function, outputSchema(keys, function));
  }

  private Expression column(int position) {
    Attribute attribute = input.get(position);
    DataType type = ColumnTypes.of(attribute.dataType()).orElseThrow();
    return new ColumnReference(position, type, attribute.nullable());
  }

  private Schema outputSchema(List<Expression> keys, SparkAggregationFunction function) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Expression key = keys.get(i);
      fields.add(
          new Field(AttributeSchemas.nameOf(spec.keys().get(i)), key.type(), key.nullable()));
    }
    fields.addAll(function.outputSchema().fields());
    return new Schema(fields);
  }
}
