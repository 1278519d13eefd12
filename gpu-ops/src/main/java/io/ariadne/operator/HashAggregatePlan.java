package io.ariadne.operator;

import io.ariadne.columnar.type.DataType;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PhysicalType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.AggregateCall;
import io.ariadne.expression.AggregateMode;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.AggregateProgramCompiler;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything about an aggregation that does not depend on its input. Immutable, shared by threads.
 */
final class HashAggregatePlan {
  private final List<ProjectionStep> preparation;
  private final List<DataType> keyTypes;
  private final TileProgramCompiler keyCompiler;
  private final AccumulatorLayout layout = new AccumulatorLayout();
  private final AggregateProgramCompiler accumulation;
  private final List<AggregateReader> readers;
  private final List<AggregateCall> aggregates;
  private final Schema bufferSchema;
  private final ProjectionStep result;
  private final Schema outputSchema;

  HashAggregatePlan(
      AggregateMode mode,
      Schema input,
      Expression condition,
      List<Expression> keys,
      List<AggregateCall> aggregates,
      Schema output) {
    AggregateInput prepared = AggregateInput.of(mode, input, condition, keys, aggregates);
    this.preparation = prepared.steps();
    this.aggregates = prepared.aggregates();
    this.keyTypes = keys.stream().map(Expression::type).toList();
    this.keyCompiler = TileProgramCompiler.withDefaultLayouts(prepared.keys());
    AggregatePlanner planner = new AggregatePlanner(layout, mode);
    this.readers = prepared.aggregates().stream().map(planner::plan).toList();
    this.accumulation =
        new AggregateProgramCompiler(
            prepared.condition(),
            layout.accumulations(),
            layout.offsets(),
            layout.strideInBytes(),
            !keys.isEmpty());
    boolean endsInResult = mode == AggregateMode.FINAL || mode == AggregateMode.COMPLETE;
    List<Field> keyFields = output.fields().subList(0, keys.size());
    this.bufferSchema = endsInResult ? bufferSchema(keyFields, aggregates) : output;
    this.result =
        endsInResult
            ? ProjectionStep.of(
                bufferSchema, null, AggregateResults.of(keyFields, aggregates), output)
            : null;
    this.outputSchema = output;
  }

  private static Schema bufferSchema(List<Field> keys, List<AggregateCall> aggregates) {
    List<Field> fields = new ArrayList<>(keys);
    aggregates.forEach(call -> fields.addAll(call.bufferFields()));
    return new Schema(fields);
  }

  /** Returns what runs before keys and arguments are columns; often nothing. */
  List<ProjectionStep> preparation() {
    return preparation;
  }

  boolean isGrouped() {
    return !keyTypes.isEmpty();
  }

  List<DataType> keyTypes() {
    return keyTypes;
  }

  List<PhysicalType> keyKinds() {
    return keyTypes.stream().map(DataType::defaultPhysicalType).toList();
  }

  TileProgramCompiler keyCompiler() {
    return keyCompiler;
  }

  AccumulatorLayout layout() {
    return layout;
  }

  AggregateProgramCompiler accumulation() {
    return accumulation;
  }

  List<AggregateReader> readers() {
    return readers;
  }

  List<AggregateCall> aggregates() {
    return aggregates;
  }

  /** Returns keys and buffer columns. */
  Schema bufferSchema() {
    return bufferSchema;
  }

  /** Returns how buffers become results, or null when buffers are the output. */
  ProjectionStep result() {
    return result;
  }

  Schema outputSchema() {
    return outputSchema;
  }
}
