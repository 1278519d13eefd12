package io.ariadne.operator.aggregate;

import io.ariadne.expression.compiler.AggregateProgramCompiler;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.operator.key.CodedKeys;
import io.ariadne.operator.project.ProjectionStep;
import java.util.List;

/**
 * One way to aggregate a batch. Immutable, shared by threads; all variants of a plan fill the same
 * records.
 *
 * @param preparation projections that compute keys and arguments and drop rows first; empty when
 *     the programs below do so
 * @param keyCompiler the keys
 * @param codedKeys the keys when they are columns as they are, else null
 * @param accumulation the filter, unless rows were dropped before, and the accumulators
 * @param picks what picks and collections read
 */
record AggregateVariant(
    List<ProjectionStep> preparation,
    TileProgramCompiler keyCompiler,
    CodedKeys codedKeys,
    AggregateProgramCompiler accumulation,
    PickInputs picks) {

  /** Returns whether a batch may be prepared a second time. */
  boolean isRepeatable() {
    return preparation().stream().allMatch(ProjectionStep::isRepeatable);
  }

  static AggregateVariant of(AggregateInput input, AccumulatorLayout layout) {
    return new AggregateVariant(
        input.steps(),
        TileProgramCompiler.withDefaultLayouts(input.keys()),
        CodedKeys.of(input.keys()),
        new AggregateProgramCompiler(
            input.condition(),
            layout.accumulations(),
            layout.offsets(),
            layout.strideInBytes(),
            !input.keys().isEmpty()),
        PickInputs.of(input.condition(), layout));
  }
}
