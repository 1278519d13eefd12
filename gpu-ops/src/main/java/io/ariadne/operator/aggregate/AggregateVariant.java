package io.ariadne.operator.aggregate;

import io.ariadne.expression.compiler.AggregateProgramCompiler;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.operator.key.CodedKeys;
import io.ariadne.operator.project.ProjectionStep;
import java.util.List;

/**
 * One way to aggregate a batch. All variants of a plan update the same records. Immutable, shared
 * by threads.
 *
 * @param preparation projections that drop rows and compute keys and arguments first; empty when
 *     the programs below do so
 * @param keyCompiler compiles the keys
 * @param codedKeys the keys when all of them are plain columns, else null
 * @param accumulation compiles the filter, unless a projection has applied it, and the accumulators
 * @param picks what picks and lists read
 */
record AggregateVariant(
    List<ProjectionStep> preparation,
    TileProgramCompiler keyCompiler,
    CodedKeys codedKeys,
    AggregateProgramCompiler accumulation,
    PickInputs picks) {

  /** Returns whether a batch may be prepared a second time, with the same result. */
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
