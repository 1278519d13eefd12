package io.ariadne.operator.project;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.BridgedStages;
import io.ariadne.expression.compiler.MemberColumns;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.util.ArrayList;
import java.util.List;

/**
 * A compiled filter with projections: bridged calls in stages, then tile programs. Immutable,
 * shared by threads.
 *
 * @param stages bridged calls, innermost first
 * @param members members of structs, which become columns after the stages' results
 * @param compiler compiles the filter and the projections, over all these columns
 * @param outputSchema the columns of the result
 * @param origins numbers under which the filter and the projections are replayed, in this order; -1
 *     for no replay
 */
public record ProjectionStep(
    List<Stage> stages,
    List<MemberColumns.Path> members,
    TileProgramCompiler compiler,
    Schema outputSchema,
    List<Integer> origins) {

  /**
   * Bridged calls whose arguments can be computed.
   *
   * @param calls the calls
   * @param members members of structs, which become columns after the existing ones
   * @param arguments compiles all arguments of all calls, one after the other
   */
  record Stage(
      List<BridgedCall> calls, List<MemberColumns.Path> members, TileProgramCompiler arguments) {
    static Stage of(List<BridgedCall> calls, int columnCount) {
      MemberColumns arguments =
          MemberColumns.of(
              calls.stream().flatMap(call -> call.arguments().stream()).toList(), columnCount);
      return new Stage(
          calls, arguments.paths(), new TileProgramCompiler(null, arguments.expressions()));
    }
  }

  /** Returns whether the step yields the same result when it runs again over the same batch. */
  public boolean isRepeatable() {
    return stages.stream()
        .flatMap(stage -> stage.calls().stream())
        .noneMatch(call -> call.function().needsOrder());
  }

  /**
   * Plans a step.
   *
   * @param input the columns of the batches
   * @param condition rows to keep, or null for all; its bridged calls see every row
   * @param projections values to compute
   * @param output names and types of the values
   * @param origins numbers under which condition and projections are replayed
   */
  public static ProjectionStep of(
      Schema input,
      Expression condition,
      List<Expression> projections,
      Schema output,
      List<Integer> origins) {
    List<Expression> all = new ArrayList<>(projections);
    if (condition != null) {
      all.add(condition);
    }
    BridgedStages staged = BridgedStages.of(all, input.columnCount());
    List<Stage> stages = new ArrayList<>();
    int columnCount = input.columnCount();
    for (List<BridgedCall> calls : staged.stages()) {
      stages.add(Stage.of(calls, columnCount));
      columnCount += calls.size();
    }
    MemberColumns flat = MemberColumns.of(staged.expressions(), columnCount);
    List<Expression> values = flat.expressions().subList(0, projections.size());
    Expression kept = condition == null ? null : flat.expressions().get(values.size());
    return new ProjectionStep(
        stages, flat.paths(), new TileProgramCompiler(kept, values), output, origins);
  }

  /** Returns a schema of unnamed columns of the expressions' types. */
  public static Schema schemaOf(List<Expression> expressions) {
    List<Field> fields = new ArrayList<>();
    for (Expression expression : expressions) {
      fields.add(new Field("_" + fields.size(), expression.type(), expression.nullable()));
    }
    return new Schema(fields);
  }
}
