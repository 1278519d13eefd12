package io.ariadne.bridge.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.task.TaskSettings;
import io.ariadne.bridge.type.SparkTypes;
import io.ariadne.columnar.AggregationFunction;
import io.ariadne.columnar.buffer.BufferAllocator;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.Final$;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.PartialMerge$;

/**
 * Runs Spark's own aggregate functions over Ariadne's columns: those without a kernel, in every
 * mode, with filters, with Spark's buffers.
 *
 * <p>The input has the columns that values are taken from, then the input buffer columns, in the
 * order of the aggregates that merge. The output has Spark's buffer columns, or one result per
 * aggregate where the modes are final or complete. Errors are Spark's, including checked
 * exceptions.
 *
 * <p>Buffers are spilled and merged as in Spark's sort-based fallback for lack of memory. So sums
 * of floating point beside an aggregate whose buffers are spilled may differ in their last bits
 * from those of one pass, as Spark's own do then.
 */
public final class SparkAggregationFunction implements AggregationFunction {
  private static final long serialVersionUID = 1L;

  private final boolean yieldsResults;
  private final Schema outputSchema;
  private final Schema bufferSchema;
  private final String text;
  private final TaskSettings settings = TaskSettings.ofQuery();

  /** The aggregates and the columns they read; null in a trial plan. */
  private final byte[] bytes;

  private SparkAggregationFunction(
      List<AggregateExpression> aggregates, boolean yieldsResults, byte[] bytes) {
    this.bytes = bytes;
    this.yieldsResults = yieldsResults;
    this.outputSchema = outputSchema(aggregates, yieldsResults);
    this.bufferSchema = outputSchema(aggregates, false);
    this.text = aggregates.toString();
  }

  /**
   * Creates the function of aggregates for which {@link #reasonAgainst} is empty. They are
   * serialised here, under the settings of the query that is being planned.
   *
   * @param aggregates all modes yield results, or none does
   * @param values the columns that aggregates take values from, in the order of the input
   * @param yieldsResults whether the output is results, not buffers
   */
  public static SparkAggregationFunction of(
      List<AggregateExpression> aggregates,
      List<? extends Attribute> values,
      boolean yieldsResults) {
    raiseGenerationErrors(aggregates, values);
    return new SparkAggregationFunction(
        aggregates,
        yieldsResults,
        JavaSerialization.of(
            new Object[] {
              aggregates.stream().map(SerializedExpression::new).toArray(), values.toArray()
            }));
  }

  /** Spark generates no code for an aggregation with an imperative aggregate. */
  private static void raiseGenerationErrors(
      List<AggregateExpression> aggregates, List<? extends Attribute> values) {
    if (aggregates.stream().allMatch(a -> a.aggregateFunction() instanceof DeclarativeAggregate)) {
      aggregates.stream()
          .flatMap(aggregate -> argumentsOf(aggregate).stream())
          .map(argument -> ExpressionBridge.bind(argument, values))
          .forEach(GenerationErrors::raise);
    }
  }

  /**
   * Creates a function for a trial plan. It can be neither called nor shipped.
   *
   * @param aggregates as for {@link #of}
   * @param yieldsResults as for {@link #of}
   */
  public static SparkAggregationFunction trial(
      List<AggregateExpression> aggregates, boolean yieldsResults) {
    return new SparkAggregationFunction(aggregates, yieldsResults, null);
  }

  /** Returns why an aggregate cannot be computed here, or empty when it can. */
  public static Optional<String> reasonAgainst(AggregateExpression aggregate) {
    AggregateFunction function = aggregate.aggregateFunction();
    if (!(function instanceof DeclarativeAggregate) && !(function instanceof ImperativeAggregate)) {
      return Optional.of(function.prettyName() + " is an aggregate function of an unknown kind");
    }
    if (hasSubquery(aggregate)) {
      return Optional.of(function.prettyName() + " has a subquery");
    }
    return outputs(aggregate, true)
        .or(() -> outputs(aggregate, false))
        .or(() -> inputReason(aggregate));
  }

  private static Optional<String> outputs(AggregateExpression aggregate, boolean areResults) {
    return types(aggregate.aggregateFunction(), areResults).stream()
        .map(SparkTypes::unsupportedReason)
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> inputReason(AggregateExpression aggregate) {
    return readBy(aggregate).stream()
        .map(attribute -> SparkTypes.unsupportedReason(attribute.dataType()))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static boolean hasSubquery(Expression expression) {
    return expression instanceof PlanExpression
        || ScalaCollections.<Expression>list(expression.children()).stream()
            .anyMatch(SparkAggregationFunction::hasSubquery);
  }

  /** Returns the attributes that an aggregate takes values from; empty when it merges buffers. */
  public static List<Attribute> readBy(AggregateExpression aggregate) {
    return argumentsOf(aggregate).stream()
        .flatMap(argument -> ExpressionBridge.references(argument).stream())
        .toList();
  }

  /** Returns the arguments and the filter of an aggregate; empty when it merges buffers. */
  private static List<Expression> argumentsOf(AggregateExpression aggregate) {
    if (merges(aggregate)) {
      return List.of();
    }
    List<Expression> arguments =
        new ArrayList<>(
            ScalaCollections.<Expression>list(aggregate.aggregateFunction().children()));
    if (aggregate.filter().isDefined()) {
      arguments.add(aggregate.filter().get());
    }
    return arguments;
  }

  static boolean merges(AggregateExpression aggregate) {
    return aggregate.mode() == Final$.MODULE$ || aggregate.mode() == PartialMerge$.MODULE$;
  }

  static List<org.apache.spark.sql.types.DataType> types(
      AggregateFunction function, boolean areResults) {
    return areResults
        ? List.of(function.dataType())
        : ScalaCollections.<Attribute>list(function.aggBufferAttributes()).stream()
            .map(Attribute::dataType)
            .toList();
  }

  private static Schema outputSchema(List<AggregateExpression> aggregates, boolean areResults) {
    List<Field> fields = new ArrayList<>();
    for (AggregateExpression aggregate : aggregates) {
      for (var type : types(aggregate.aggregateFunction(), areResults)) {
        fields.add(new Field("_" + fields.size(), SparkTypes.fromSpark(type), true));
      }
    }
    return new Schema(fields);
  }

  @Override
  public Schema outputSchema() {
    return outputSchema;
  }

  @Override
  public Schema bufferSchema() {
    return bufferSchema;
  }

  @Override
  public String description() {
    return "Spark's " + text;
  }

  /** Every user of the aggregates takes a copy, because functions may contain state. */
  @Override
  public Groups newGroups(BufferAllocator allocator) {
    if (bytes == null) {
      throw new IllegalStateException(this + " was translated for trial only");
    }
    Object[] copy = JavaSerialization.copy(bytes, Object[].class);
    List<AggregateExpression> ownAggregates = new ArrayList<>();
    for (Object aggregate : (Object[]) copy[0]) {
      ownAggregates.add((AggregateExpression) ((SerializedExpression) aggregate).copy());
    }
    List<Attribute> ownValues = new ArrayList<>();
    for (Object value : (Object[]) copy[1]) {
      ownValues.add((Attribute) value);
    }
    SparkAggregateCode code =
        settings.with(
            () -> new SparkAggregateCode(ownAggregates, ownValues, yieldsResults, settings));
    return new SparkGroups(code, this, allocator);
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    if (bytes == null) {
      throw new NotSerializableException(this + " was translated for trial only");
    }
    out.defaultWriteObject();
  }

  @Override
  public String toString() {
    return description();
  }
}
