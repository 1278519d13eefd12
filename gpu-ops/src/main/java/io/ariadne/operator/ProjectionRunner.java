package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.compiler.BatchSignature;
import io.ariadne.expression.compiler.CompiledProjection;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.kernel.tile.TileProgram;
import io.ariadne.kernel.tile.TileProgramException;
import io.ariadne.kernel.tile.TileProgramKernel;
import java.util.ArrayList;
import java.util.List;

/** Evaluates {@link ProjectionStep}s over batches. Used by one thread at a time. */
final class ProjectionRunner implements AutoCloseable {
  private static final int NO_ORIGIN = 0xffff;

  private final OperatorContext context;
  private final TileProgramKernel kernel;

  ProjectionRunner(OperatorContext context) {
    this.context = context;
    this.kernel = new TileProgramKernel(context.backend(), context.allocator());
  }

  TileProgramKernel kernel() {
    return kernel;
  }

  /**
   * Evaluates a step.
   *
   * @param step what to compute
   * @param batch the input, owned by this call, closed also when it throws
   * @return the result, owned by the caller; null when no row passed
   */
  RecordBatch run(ProjectionStep step, RecordBatch batch) {
    try (batch;
        WorkingColumns columns = new WorkingColumns(context, batch)) {
      for (ProjectionStep.Stage stage : step.stages()) {
        runStage(stage, batch, columns);
      }
      int rowCount = compute(step.compiler(), batch, columns);
      return rowCount == 0 ? null : columns.toBatch(step.outputSchema(), rowCount);
    }
  }

  /** Computes the arguments of bridged calls and calls them; their results become columns. */
  private void runStage(ProjectionStep.Stage stage, RecordBatch batch, WorkingColumns columns) {
    List<ColumnVector> results = new ArrayList<>();
    try (WorkingColumns scope = columns.nested()) {
      compute(stage.arguments(), batch, scope);
      List<ColumnVector> arguments = scope.outputs(batch.rowCount());
      int next = 0;
      for (BridgedCall call : stage.calls()) {
        int count = call.arguments().size();
        List<ColumnVector> own = arguments.subList(next, next + count);
        next += count;
        // not closed: its columns belong to the scope
        RecordBatch view =
            new RecordBatch(
                ProjectionStep.schemaOf(call.arguments()), batch.rowCount(), own, batch.sequence());
        results.add(call.function().apply(view, context.allocator()));
      }
    } catch (RuntimeException | Error e) {
      results.forEach(ColumnVector::close);
      throw e;
    }
    results.forEach(columns::addOwned);
  }

  /** Runs the programs of a compiler; returns the rows that passed its filter. */
  private int compute(TileProgramCompiler compiler, RecordBatch batch, WorkingColumns columns) {
    CompiledProjection compiled =
        compiler.compile(BatchSignature.of(columns.inputs(), compiler.usedColumns()));
    columns.setOutputs(compiled.outputs());
    int rowCount = batch.rowCount();
    int rowsOut = rowCount;
    for (TileProgram program : compiled.programs()) {
      List<TileProgramKernel.Target> targets = columns.allocate(program, rowCount);
      long written = launch(program, batch, columns, targets);
      if (program.hasFilter()) {
        rowsOut = Math.toIntExact(written);
      }
    }
    return rowsOut;
  }

  private long launch(
      TileProgram program,
      RecordBatch batch,
      WorkingColumns columns,
      List<TileProgramKernel.Target> targets) {
    try {
      return kernel.run(
          program, batch.rowCount(), columns::column, targets, TileProgramKernel.Accumulators.NONE);
    } catch (TileProgramException e) {
      throw replay(e, batch);
    }
  }

  /** Turns an error of a program into the user's. */
  RuntimeException replay(TileProgramException e, RecordBatch batch) {
    int expression = e.error().expression();
    int origin = expression == NO_ORIGIN ? ExpressionError.NO_ORIGIN : expression;
    return context
        .errorReplay()
        .toException(origin, e.error().code(), batch, Math.toIntExact(e.error().row()));
  }

  @Override
  public void close() {
    kernel.close();
  }
}
