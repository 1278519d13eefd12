package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.expression.compiler.BatchSignature;
import io.ariadne.kernel.tile.TileProgram;
import java.util.ArrayList;
import java.util.List;

/** What one thread of work has aggregated. */
final class HashAggregateState implements SinkState {
  private final HashAggregatePlan plan;
  private final ProjectionRunner runner;
  private AggregateTable table;

  HashAggregateState(HashAggregatePlan plan, OperatorContext context) {
    this.plan = plan;
    this.runner = new ProjectionRunner(context);
    try {
      this.table = new AggregateTable(plan, context);
    } catch (RuntimeException | Error e) {
      runner.close();
      throw e;
    }
  }

  @Override
  public void addInput(RecordBatch batch) {
    RecordBatch current = batch;
    for (ProjectionStep step : plan.preparation()) {
      if (current == null || current.rowCount() == 0) {
        break;
      }
      current = runner.run(step, current);
    }
    if (current != null) {
      aggregate(current);
    }
  }

  private void aggregate(RecordBatch input) {
    try (RecordBatch batch = input) {
      if (batch.rowCount() > 0) {
        aggregate(batch, table);
      }
    }
  }

  private void aggregate(RecordBatch batch, AggregateTable target) {
    try (WorkingColumns columns = new WorkingColumns(runner.context(), batch)) {
      BatchSignature signature =
          BatchSignature.of(columns.inputs(), plan.accumulation().usedColumns());
      List<TileProgram> programs = plan.accumulation().compile(signature);
      if (plan.isGrouped()) {
        columns.addOwned(groups(batch, columns, target));
      }
      runner.launch(programs, batch, columns, target.records().accumulators());
    }
  }

  private ColumnVector groups(RecordBatch batch, WorkingColumns columns, AggregateTable target) {
    try (WorkingColumns scope = columns.nested()) {
      runner.compute(plan.keyCompiler(), batch, scope);
      List<ColumnVector> keys = new ArrayList<>(scope.outputs(batch.rowCount()));
      return target.assign(keys, batch.rowCount());
    }
  }

  /** Hands the table to the caller; the state takes no more batches. */
  AggregateTable takeTable() {
    AggregateTable taken = table;
    table = null;
    return taken;
  }

  @Override
  public void close() {
    if (table != null) {
      table.close();
      table = null;
    }
    runner.close();
  }
}
