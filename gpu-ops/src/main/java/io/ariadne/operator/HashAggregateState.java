package io.ariadne.operator;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.expression.compiler.BatchSignature;
import io.ariadne.kernel.tile.TileProgram;
import java.util.List;

/** What one thread of work has aggregated. */
final class HashAggregateState implements SinkState {
  private final HashAggregatePlan plan;
  private final ProjectionRunner runner;
  private final CodedGroups codedGroups;
  private AggregateTable table;
  private boolean passesMost = true;

  HashAggregateState(HashAggregatePlan plan, OperatorContext context) {
    this.plan = plan;
    this.runner = new ProjectionRunner(context);
    this.codedGroups = new CodedGroups(runner);
    try {
      this.table = new AggregateTable(plan, context);
    } catch (RuntimeException | Error e) {
      runner.close();
      throw e;
    }
  }

  @Override
  public void addInput(RecordBatch batch) {
    int rowCount = batch.rowCount();
    if (rowCount == 0) {
      batch.close();
      return;
    }
    AggregateVariant variant = plan.variant(passesMost);
    int kept = aggregate(batch, variant);
    passesMost = kept >= rowCount - kept;
  }

  /** Aggregates a batch, which it closes; returns the rows that passed the filter. */
  private int aggregate(RecordBatch batch, AggregateVariant variant) {
    RecordBatch current = batch;
    for (ProjectionStep step : variant.preparation()) {
      current = runner.run(step, current);
      if (current == null) {
        return 0;
      }
    }
    try (RecordBatch input = current;
        WorkingColumns columns = runner.columnsOf(input)) {
      BatchSignature signature =
          BatchSignature.of(columns.inputs(), variant.accumulation().usedColumns());
      List<TileProgram> programs = variant.accumulation().compile(signature);
      if (plan.isGrouped()) {
        columns.addOwned(groups(input, columns, variant));
      }
      return runner.launch(programs, input, columns, table.records().accumulators());
    }
  }

  private ColumnVector groups(RecordBatch batch, WorkingColumns columns, AggregateVariant variant) {
    if (codedGroups.applies(batch, variant.codedKeys())) {
      return codedGroups.assign(batch, variant.codedKeys(), table);
    }
    try (WorkingColumns scope = columns.nested()) {
      runner.compute(variant.keyCompiler(), batch, scope);
      return table.assign(scope.kernelOutputs(batch.rowCount()), batch.rowCount());
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
