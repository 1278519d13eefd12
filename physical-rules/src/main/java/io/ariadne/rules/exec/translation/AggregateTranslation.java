package io.ariadne.rules.exec.translation;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateSupport;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Call;
import io.ariadne.expression.ColumnReference;
import io.ariadne.expression.Expression;
import io.ariadne.expression.Member;
import io.ariadne.expression.compiler.GuardedArguments;
import io.ariadne.plan.AggregateNode;
import io.ariadne.plan.PlanNode;
import io.ariadne.plan.ProjectNode;
import io.ariadne.rules.expression.AggregateConversion;
import io.ariadne.rules.expression.AggregateConverter;
import io.ariadne.rules.expression.Conversion;
import io.ariadne.rules.expression.ConversionScope;
import io.ariadne.rules.expression.ExpressionConverter;
import io.ariadne.rules.expression.ResultColumns;
import io.ariadne.rules.expression.TaggedExpression;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;

/**
 * Translates Spark's hash aggregations to an aggregate node. A projection above the node computes
 * expressions over the results, if there are any. A projection below the node computes keys and
 * arguments that need the bridge.
 *
 * <p>Buffer columns are Spark's own, in Spark's order, so either side of the exchange between a
 * partial and a final aggregation may be Spark's.
 */
public final class AggregateTranslation {
  private final AggregateSpec spec;
  private final List<? extends Attribute> input;
  private final IntSupplier numbers;
  private final ConversionScope scope;
  private final List<TaggedExpression> tags = new ArrayList<>();
  private final List<String> reasons = new ArrayList<>();
  private final List<String> descriptions = new ArrayList<>();

  private AggregateTranslation(
      AggregateSpec spec,
      List<? extends Attribute> input,
      IntSupplier numbers,
      ConversionScope scope) {
    this.spec = spec;
    this.input = input;
    this.numbers = numbers;
    this.scope = scope;
  }

  /**
   * Translates an aggregation.
   *
   * @param spec the specification of Spark's node
   * @param input the child's columns
   * @param child the child's plan
   * @param numbers gives plan nodes their numbers
   * @param scope settings and replay table
   */
  public static NodeConversion convert(
      AggregateSpec spec,
      List<? extends Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope) {
    return new AggregateTranslation(spec, input, numbers, scope).convert(child);
  }

  /** Translates an aggregation without the output expressions over its results. */
  public static NodeConversion convertWithoutResults(
      AggregateSpec spec,
      List<? extends Attribute> input,
      PlanNode child,
      IntSupplier numbers,
      ConversionScope scope) {
    return new AggregateTranslation(spec, input, numbers, scope).convertAggregates(child);
  }

  private NodeConversion convert(PlanNode child) {
    NodeConversion aggregated = convertAggregates(child);
    return aggregated.node().isPresent() && spec.yieldsResults()
        ? project(aggregated.node().get())
        : aggregated;
  }

  private NodeConversion convertAggregates(PlanNode child) {
    if (spec.mixesResultsAndBuffers()) {
      return NodeConversion.failed("results beside buffers in one node");
    }
    List<Expression> keys = keys();
    if (!reasons.isEmpty()) {
      return NodeConversion.failed(tags, reasons);
    }
    List<TaggedExpression> keyTags = List.copyOf(tags);
    List<AggregateCall> calls = calls();
    if (!reasons.isEmpty()) {
      return bridge(child, keys, keyTags);
    }
    PlanNode aggregated = aggregate(child, keys, calls);
    return new NodeConversion(Optional.of(aggregated), tags, descriptions, List.of());
  }

  /** When one aggregate has no kernel, Spark's functions compute all aggregates. */
  private NodeConversion bridge(
      PlanNode child, List<Expression> keys, List<TaggedExpression> keyTags) {
    BridgedAggregates bridged = new BridgedAggregates(spec, input);
    Optional<String> reason = bridged.reasonAgainst(scope);
    if (reason.isPresent()) {
      reasons.add(reason.get());
      return NodeConversion.failed(tags, reasons);
    }
    tags.clear();
    tags.addAll(keyTags);
    tags.addAll(bridged.tags());
    descriptions.clear();
    spec.aggregates().forEach(aggregate -> descriptions.add(aggregate.toString()));
    PlanNode node = bridged.build(child, keys, numbers, scope.isTrial());
    return new NodeConversion(Optional.of(node), tags, descriptions, List.of());
  }

  private NodeConversion project(PlanNode aggregated) {
    NodeConversion results =
        ProjectTranslation.convert(
            spec.results(), spec.aggregatedAttributes(), aggregated, numbers, scope.behind());
    tags.addAll(results.expressions());
    return new NodeConversion(results.node(), tags, descriptions, results.reasons());
  }

  private List<Expression> keys() {
    ExpressionConverter converter = new ExpressionConverter(input, scope);
    List<Expression> keys = new ArrayList<>();
    for (NamedExpression key : spec.keys()) {
      Conversion conversion =
          converter.convert((org.apache.spark.sql.catalyst.expressions.Expression) key);
      tags.add(conversion.tag());
      if (conversion.translated().isEmpty()) {
        reasons.add(key + ": " + conversion.tag().reason());
      } else if (!AggregateSupport.canGroupBy(conversion.expression().type())) {
        reasons.add(key + ": no grouping by " + conversion.tag().expression().dataType().sql());
      } else {
        keys.add(conversion.expression());
      }
    }
    if (keys.size() > AggregateSupport.MAX_KEYS) {
      reasons.add(keys.size() + " keys, at most " + AggregateSupport.MAX_KEYS + " are supported");
    }
    return keys;
  }

  /** Input buffers are the last columns of the input, in the order of the aggregates. */
  private List<AggregateCall> calls() {
    AggregateConverter converter = new AggregateConverter(input, scope);
    int bufferOffset = input.size() - spec.inputBufferColumns();
    List<AggregateCall> calls = new ArrayList<>();
    Iterator<ResultColumns> columns = ResultColumns.of(spec.keys(), spec.aggregates()).iterator();
    for (AggregateExpression aggregate : spec.aggregates()) {
      boolean merges = AggregateSpec.merges(aggregate);
      AggregateConversion conversion =
          converter.convert(
              aggregate, merges ? bufferOffset : AggregateCall.UPDATES, columns.next());
      tags.addAll(conversion.operands());
      if (conversion.call().isPresent()) {
        calls.add(conversion.call().get());
        descriptions.add(conversion.description());
      } else {
        reasons.add(conversion.description() + ": " + conversion.reason());
      }
      bufferOffset += merges ? AggregateSpec.bufferColumns(aggregate) : 0;
    }
    return calls;
  }

  private PlanNode aggregate(PlanNode child, List<Expression> keys, List<AggregateCall> calls) {
    Schema schema = outputSchema(keys, calls);
    boolean yieldsResults = spec.yieldsResults();
    if (Stream.concat(keys.stream(), calls.stream().flatMap(AggregateTranslation::inputsOf))
        .noneMatch(AggregateTranslation::isBridged)) {
      return new AggregateNode(
          numbers.getAsInt(), child, yieldsResults, keys, calls, schema, origin());
    }
    List<Expression> columns = new ArrayList<>();
    List<Expression> newKeys = keys.stream().map(key -> column(key, columns)).toList();
    List<AggregateCall> newCalls =
        calls.stream()
            .map(call -> call.merges() ? overBuffers(call, columns) : overColumns(call, columns))
            .toList();
    List<Field> fields = new ArrayList<>();
    for (Expression column : columns) {
      fields.add(new Field("c" + fields.size(), column.type(), column.nullable()));
    }
    PlanNode projected =
        new ProjectNode(numbers.getAsInt(), child, columns, new Schema(fields), origin());
    return new AggregateNode(
        numbers.getAsInt(), projected, yieldsResults, newKeys, newCalls, schema);
  }

  /**
   * Adds keys and arguments for replay, in the order in which Spark computes them; arguments only
   * where the aggregate's filter holds.
   */
  private int origin() {
    List<org.apache.spark.sql.catalyst.expressions.Expression> computed = new ArrayList<>();
    spec.keys()
        .forEach(key -> computed.add((org.apache.spark.sql.catalyst.expressions.Expression) key));
    for (AggregateExpression aggregate : spec.aggregates()) {
      if (!AggregateSpec.merges(aggregate)) {
        ScalaCollections.<org.apache.spark.sql.catalyst.expressions.Expression>list(
                aggregate.aggregateFunction().children())
            .forEach(argument -> computed.add(filtered(argument, aggregate)));
      }
    }
    return scope.originOf(computed, tags, input);
  }

  private static org.apache.spark.sql.catalyst.expressions.Expression filtered(
      org.apache.spark.sql.catalyst.expressions.Expression argument,
      AggregateExpression aggregate) {
    return aggregate.filter().isEmpty()
        ? argument
        : new If(aggregate.filter().get(), argument, Literal.create(null, argument.dataType()));
  }

  private Schema outputSchema(List<Expression> keys, List<AggregateCall> calls) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Expression key = keys.get(i);
      fields.add(
          new Field(AttributeSchemas.nameOf(spec.keys().get(i)), key.type(), key.nullable()));
    }
    for (int i = 0; i < calls.size(); i++) {
      if (!spec.yieldsResults()) {
        fields.addAll(calls.get(i).bufferFields());
      } else {
        Attribute result = spec.aggregateAttributes().get(i);
        fields.add(new Field(result.name(), calls.get(i).resultType(), result.nullable()));
      }
    }
    return new Schema(fields);
  }

  private static AggregateCall overColumns(AggregateCall call, List<Expression> columns) {
    List<Expression> arguments =
        GuardedArguments.of(call).stream().map(argument -> column(argument, columns)).toList();
    Expression filter = call.filter() == null ? null : column(call.filter(), columns);
    return copy(call, arguments, filter, AggregateCall.UPDATES);
  }

  /** Adds the buffer's columns, one after the other. */
  private AggregateCall overBuffers(AggregateCall call, List<Expression> columns) {
    int offset = columns.size();
    for (int i = 0; i < call.bufferFields().size(); i++) {
      int position = call.bufferOffset() + i;
      Field field = call.bufferFields().get(i);
      columns.add(new ColumnReference(position, field.type(), input.get(position).nullable()));
    }
    return copy(call, List.of(), null, offset);
  }

  private static AggregateCall copy(
      AggregateCall call, List<Expression> arguments, Expression filter, int bufferOffset) {
    return new AggregateCall(
        call.function(),
        arguments,
        filter,
        call.bufferFields(),
        bufferOffset,
        call.resultType(),
        call.mode(),
        call.origin());
  }

  /** Adds a column that computes the expression, or finds it, and returns a reference to it. */
  private static Expression column(Expression expression, List<Expression> columns) {
    int position = columns.indexOf(expression);
    if (position < 0) {
      position = columns.size();
      columns.add(expression);
    }
    return new ColumnReference(position, expression.type(), expression.nullable());
  }

  private static Stream<Expression> inputsOf(AggregateCall call) {
    return Stream.concat(call.arguments().stream(), Stream.ofNullable(call.filter()));
  }

  private static boolean isBridged(Expression expression) {
    return expression instanceof BridgedCall
        || (expression instanceof Member member && isBridged(member.struct()))
        || (expression instanceof Call call
            && call.arguments().stream().anyMatch(AggregateTranslation::isBridged));
  }
}
