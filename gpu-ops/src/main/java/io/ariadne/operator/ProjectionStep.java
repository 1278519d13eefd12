package io.ariadne.operator;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.BridgedStages;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.util.ArrayList;
import java.util.List;

/**
 * A filter and projections over one batch: bridged calls in stages, then compiled programs.
 * Immutable, shared by threads.
 *
 * @param stages bridged calls, innermost first
 * @param compiler the filter and the projections, over the batch's columns and the stages' results
 * @param outputSchema the columns of the result
 */
record ProjectionStep(List<Stage> stages, TileProgramCompiler compiler, Schema outputSchema) {

  /**
   * Bridged calls whose arguments are known.
   *
   * @param calls the calls
   * @param arguments all arguments of all calls, one after the other
   */
  record Stage(List<BridgedCall> calls, TileProgramCompiler arguments) {
    static Stage of(List<BridgedCall> calls) {
      List<Expression> arguments =
          calls.stream().flatMap(call -> call.arguments().stream()).toList();
      return new Stage(calls, new TileProgramCompiler(null, arguments));
    }
  }

  /**
   * Plans a step.
   *
   * @param input the batch's columns
   * @param condition rows to keep, or null for all; its bridged calls see every row
   * @param projections values to compute
   * @param output names and types of the values
   */
  static ProjectionStep of(
      Schema input, Expression condition, List<Expression> projections, Schema output) {
    List<Expression> all = new ArrayList<>(projections);
    if (condition != null) {
      all.add(condition);
    }
    BridgedStages staged = BridgedStages.of(all, input.columnCount());
    List<Expression> values = staged.expressions().subList(0, projections.size());
    Expression kept = condition == null ? null : staged.expressions().get(values.size());
    List<Stage> stages = staged.stages().stream().map(Stage::of).toList();
    return new ProjectionStep(stages, new TileProgramCompiler(kept, values), output);
  }

  /** Returns a schema of unnamed columns of the expressions' types. */
  static Schema schemaOf(List<Expression> expressions) {
    List<Field> fields = new ArrayList<>();
    for (Expression expression : expressions) {
      fields.add(new Field("_" + fields.size(), expression.type(), expression.nullable()));
    }
    return new Schema(fields);
  }
}
