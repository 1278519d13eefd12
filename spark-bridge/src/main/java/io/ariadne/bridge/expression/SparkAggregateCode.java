package io.ariadne.bridge.expression;

import io.ariadne.bridge.ScalaCollections;
import io.ariadne.bridge.task.TaskSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.Predicate$;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.NoOp$;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.util.SizeEstimator;

/**
 * One thread's copy of aggregate functions, ready to process rows, like Spark's {@code
 * AggregationIterator}. A buffer row contains the buffers of all aggregates one after the other.
 */
final class SparkAggregateCode {
  private final List<AggregateFunction> functions = new ArrayList<>();
  private final List<AggregateExpression> aggregates;
  private final List<BasePredicate> filters = new ArrayList<>();
  private final List<Attribute> inputs;
  private final List<Attribute> buffers = new ArrayList<>();
  private final boolean yieldsResults;
  private final TaskSettings settings;
  private final MutableProjection initial;
  private final MutableProjection update;
  private final MutableProjection evaluate;
  private final InternalRow results;
  private final JoinedRow joined = new JoinedRow();

  /** Imperative functions that find merged buffers at their own positions; created on demand. */
  private List<ImperativeAggregate> mergers;

  private MutableProjection merge;

  /**
   * Prepares aggregates.
   *
   * @param aggregates ownership passes to this object
   * @param values attributes of the input before the buffers
   * @param yieldsResults whether results are wanted
   * @param settings settings under which the code is prepared; the caller must have applied them
   *     already for this constructor
   */
  SparkAggregateCode(
      List<AggregateExpression> aggregates,
      List<Attribute> values,
      boolean yieldsResults,
      TaskSettings settings) {
    this.aggregates = aggregates;
    this.yieldsResults = yieldsResults;
    this.settings = settings;
    this.inputs = new ArrayList<>(values);
    for (AggregateExpression aggregate : aggregates) {
      if (SparkAggregationFunction.merges(aggregate)) {
        inputs.addAll(
            ScalaCollections.list(aggregate.aggregateFunction().inputAggBufferAttributes()));
      }
    }
    prepareFunctions(values.size());
    this.initial = projection(expressions(Part.INITIAL), List.of());
    List<Attribute> both = new ArrayList<>(buffers);
    both.addAll(inputs);
    this.update = projection(expressions(Part.UPDATE), both);
    this.evaluate = yieldsResults ? projection(expressions(Part.EVALUATE), buffers) : null;
    this.results =
        new SpecificInternalRow(
            ScalaCollections.<DataType>seq(
                functions.stream().map(AggregateFunction::dataType).toList()));
    if (yieldsResults) {
      evaluate.target(results);
    }
  }

  /** The expressions that a declarative aggregate consists of. */
  private enum Part {
    INITIAL,
    UPDATE,
    EVALUATE
  }

  /** Tells imperative functions the positions of their arguments and buffers. */
  private void prepareFunctions(int firstBuffer) {
    int inputOffset = firstBuffer;
    for (AggregateExpression aggregate : aggregates) {
      AggregateFunction function = aggregate.aggregateFunction();
      boolean merges = SparkAggregationFunction.merges(aggregate);
      if (function instanceof ImperativeAggregate imperative) {
        AggregateFunction placed =
            merges
                ? imperative.withNewInputAggBufferOffset(inputOffset)
                : (AggregateFunction) ExpressionBridge.bind(imperative, inputs);
        function = ((ImperativeAggregate) placed).withNewMutableAggBufferOffset(buffers.size());
      }
      List<Attribute> own = ScalaCollections.list(function.aggBufferAttributes());
      inputOffset += merges ? own.size() : 0;
      buffers.addAll(own);
      functions.add(function);
      boolean isFiltered = !merges && aggregate.filter().isDefined();
      filters.add(isFiltered ? predicate(aggregate.filter().get()) : null);
    }
  }

  private BasePredicate predicate(Expression filter) {
    BasePredicate predicate =
        Predicate$.MODULE$.create(filter, ScalaCollections.<Attribute>seq(inputs));
    predicate.initialize(TaskContext.getPartitionId());
    return predicate;
  }

  private static MutableProjection projection(
      List<Expression> expressions, List<Attribute> inputs) {
    MutableProjection projection =
        MutableProjection.create(
            ScalaCollections.<Expression>seq(expressions), ScalaCollections.<Attribute>seq(inputs));
    projection.initialize(TaskContext.getPartitionId());
    return projection;
  }

  /** Returns the expressions of all functions. Those of imperative functions compute nothing. */
  private List<Expression> expressions(Part part) {
    List<Expression> all = new ArrayList<>();
    for (int i = 0; i < functions.size(); i++) {
      if (functions.get(i) instanceof DeclarativeAggregate declarative) {
        all.addAll(expressions(part, aggregates.get(i), declarative));
      } else {
        int count = part == Part.EVALUATE ? 1 : functions.get(i).aggBufferAttributes().size();
        all.addAll(Collections.nCopies(count, NoOp$.MODULE$));
      }
    }
    return all;
  }

  private static List<Expression> expressions(
      Part part, AggregateExpression aggregate, DeclarativeAggregate function) {
    return switch (part) {
      case INITIAL -> ScalaCollections.list(function.initialValues());
      case EVALUATE -> List.of(function.evaluateExpression());
      case UPDATE ->
          SparkAggregationFunction.merges(aggregate)
              ? ScalaCollections.list(function.mergeExpressions())
              : updates(aggregate, function);
    };
  }

  private static List<Expression> updates(
      AggregateExpression aggregate, DeclarativeAggregate function) {
    List<Expression> updates = ScalaCollections.list(function.updateExpressions());
    if (aggregate.filter().isEmpty()) {
      return updates;
    }
    List<Attribute> buffers = ScalaCollections.list(function.aggBufferAttributes());
    List<Expression> filtered = new ArrayList<>();
    for (int i = 0; i < updates.size(); i++) {
      filtered.add(new If(aggregate.filter().get(), updates.get(i), buffers.get(i)));
    }
    return filtered;
  }

  /** Returns the types of the input's columns. */
  DataType[] inputTypes() {
    return ExpressionBridge.types(inputs);
  }

  /** Returns the types of a buffer row. */
  DataType[] bufferTypes() {
    return ExpressionBridge.types(buffers);
  }

  /** Writes the initial buffers. */
  void initialize(InternalRow buffer) {
    initial.target(buffer).apply(InternalRow.empty());
    for (AggregateFunction function : functions) {
      if (function instanceof ImperativeAggregate imperative) {
        imperative.initialize(buffer);
      }
    }
  }

  /** Updates the buffers with an input row. */
  void update(InternalRow buffer, InternalRow row) {
    update.target(buffer).apply(joined.apply(buffer, row));
    for (int i = 0; i < functions.size(); i++) {
      if (functions.get(i) instanceof ImperativeAggregate imperative) {
        if (SparkAggregationFunction.merges(aggregates.get(i))) {
          imperative.merge(buffer, row);
        } else if (filters.get(i) == null || filters.get(i).eval(row)) {
          imperative.update(buffer, row);
        }
      }
    }
  }

  /** Merges a buffer that {@link #serialize} has made; its rows follow the rows of this one. */
  void merge(InternalRow buffer, InternalRow serialized) {
    if (mergers == null) {
      mergers = settings.with(this::prepareMerging);
    }
    merge.target(buffer).apply(joined.apply(buffer, serialized));
    for (ImperativeAggregate merger : mergers) {
      merger.merge(buffer, serialized);
    }
  }

  private List<ImperativeAggregate> prepareMerging() {
    List<ImperativeAggregate> imperative = new ArrayList<>();
    List<Expression> merges = new ArrayList<>();
    List<Attribute> both = new ArrayList<>(buffers);
    int offset = 0;
    for (AggregateFunction function : functions) {
      int count = function.aggBufferAttributes().size();
      both.addAll(ScalaCollections.list(function.inputAggBufferAttributes()));
      if (function instanceof DeclarativeAggregate declarative) {
        merges.addAll(ScalaCollections.list(declarative.mergeExpressions()));
      } else {
        merges.addAll(Collections.nCopies(count, NoOp$.MODULE$));
        imperative.add(((ImperativeAggregate) function).withNewInputAggBufferOffset(offset));
      }
      offset += count;
    }
    merge = projection(merges, both);
    return imperative;
  }

  /** Returns how many functions keep an object of the JVM in the buffer. */
  int objectCount() {
    return (int) functions.stream().filter(TypedImperativeAggregate.class::isInstance).count();
  }

  /** Returns the approximate size of the values of an initial buffer, in bytes. */
  long emptyBytes() {
    GenericInternalRow buffer = new GenericInternalRow(buffers.size());
    initialize(buffer);
    return SizeEstimator.estimate(buffer.values());
  }

  /**
   * Converts a buffer to Spark's types only, in which buffers are exchanged. It can no longer be
   * updated.
   */
  void serialize(InternalRow buffer) {
    for (AggregateFunction function : functions) {
      if (function instanceof TypedImperativeAggregate<?> typed) {
        typed.serializeAggregateBufferInPlace(buffer);
      }
    }
  }

  /**
   * Returns the output of a group: its results in a row that the next call overwrites, or its
   * buffers in the exchanged form. Called once per group.
   */
  InternalRow output(InternalRow buffer) {
    if (!yieldsResults) {
      serialize(buffer);
      return buffer;
    }
    evaluate.apply(buffer);
    for (int i = 0; i < functions.size(); i++) {
      if (functions.get(i) instanceof ImperativeAggregate imperative) {
        results.update(i, imperative.eval(buffer));
      }
    }
    return results;
  }
}
