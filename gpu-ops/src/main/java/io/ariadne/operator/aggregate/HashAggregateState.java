package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.RowRange;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.error.EngineException;
import io.ariadne.expression.compiler.BatchSignature;
import io.ariadne.kernel.column.ColumnTransfer;
import io.ariadne.kernel.hash.GroupPartitionKernel;
import io.ariadne.kernel.tile.TileProgram;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.SinkState;
import io.ariadne.operator.UnprocessedBatch;
import io.ariadne.operator.key.CodedGroups;
import io.ariadne.operator.project.FirstFailure;
import io.ariadne.operator.project.ProjectionRunner;
import io.ariadne.operator.project.ProjectionStep;
import io.ariadne.operator.project.WorkingColumns;
import io.ariadne.spill.Revocable;
import io.ariadne.spill.SpillPlacement;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The aggregation of one pipeline driver: a group table, and runs of groups that the table has
 * moved out because it had more groups than fit the caches, or longer keys than a table may hold.
 *
 * <p>When a table moves out nearly as many groups as it took rows, grouping has not paid. The
 * driver then makes the next {@value #APPENDED_RUNS} runs without looking keys up, and tries a
 * table again after that. The table's memory is revocable between two batches.
 *
 * <p>A batch that is refused memory before any of its rows counts can be taken back. Its groups are
 * in the table then, without rows; the next attempt finds them.
 */
final class HashAggregateState implements SinkState {
  /** The table is needed before the runs. */
  private static final SpillPlacement PLACEMENT =
      SpillPlacement.at(GroupPartitionKernel.PARTITIONS, true);

  private static final int APPENDED_RUNS = 15;

  private static final Logger LOG = LoggerFactory.getLogger(HashAggregateState.class);

  /** Looking keys up pays with at least {@code PAYING_ROWS / PAYING_GROUPS} rows per group. */
  private static final int PAYING_ROWS = 5;

  private static final int PAYING_GROUPS = 4;

  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final ProjectionRunner runner;
  private final CodedGroups codedGroups;
  private final GroupLimits limits;
  private final GroupRuns runs;
  private final UnprocessedBatch unprocessed = new UnprocessedBatch();
  private Revocable memory;
  private AggregateTable table;
  private boolean passesMost = true;

  /** Whether rows of the current batch may already be in the accumulators. */
  private boolean isPartlyApplied;

  /** Whether the table was released on request since the last batch. */
  private boolean wasReleased;

  private int runsToAppend;
  private long rowsInTable;

  /** The number of the next row. Groups without a picked value have number 0. */
  private long nextOrder = 1;

  HashAggregateState(HashAggregatePlan plan, OperatorContext context) {
    this.plan = plan;
    this.context = context;
    this.limits = plan.limits(context);
    this.runs = new GroupRuns(context, limits, 0);
    this.runner = new ProjectionRunner(context);
    try {
      this.codedGroups = new CodedGroups(runner);
      this.table = new AggregateTable(plan, context);
      this.memory = context.kernelSpill().revocable(PLACEMENT, this::releaseTableOnRequest);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public void addInput(RecordBatch batch) {
    if (batch.rowCount() == 0) {
      batch.close();
      return;
    }
    try {
      memory.begin();
      if (wasReleased) {
        wasReleased = false;
        runs.mergeWhenMany(table);
      }
    } catch (RuntimeException | Error e) {
      batch.close();
      throw e;
    }
    try {
      addBatch(batch);
    } catch (RuntimeException | Error e) {
      endAfter(e);
      throw e;
    }
    memory.end(revocableBytes());
  }

  @Override
  public RecordBatch takeUnprocessed() {
    return unprocessed.take();
  }

  /** Makes the table revocable while a batch that was refused memory waits. */
  private void endAfter(Throwable failure) {
    if (!unprocessed.isEmpty()) {
      Closer closer = new Closer();
      closer.close(() -> memory.end(revocableBytes()));
      closer.suppressIn(failure);
    }
  }

  /** Returns how many bytes can be released on request: none without keys or of a small table. */
  private long revocableBytes() {
    long bytes = plan.isGrouped() ? table.bytes() : 0;
    return bytes < limits.revocableBytes() ? 0 : bytes;
  }

  /** Releases the table between two batches, on request of the spill space. */
  private void releaseTableOnRequest() {
    releaseTable();
    wasReleased = true;
  }

  /** Moves the table's groups to runs, which may be spilled, and starts a new table. */
  private void releaseTable() {
    AggregateTable empty = new AggregateTable(plan, context);
    AggregateTable full = table;
    try {
      full.toRuns(0, GroupLimits.releasedRunBytes(context)).forEach(runs::add);
    } catch (RuntimeException | Error e) {
      empty.close();
      throw e;
    }
    table = empty;
    rowsInTable = 0;
    codedGroups.reset();
    full.close();
  }

  private void addBatch(RecordBatch batch) {
    int rowCount = batch.rowCount();
    if (rowCount > 2L * limits.rows() && isOnHost(batch)) {
      addParts(batch);
    } else {
      addRows(batch);
    }
  }

  private boolean isOnHost(RecordBatch batch) {
    ColumnTransfer transfer = context.transfer();
    for (int i = 0; i < batch.columnCount(); i++) {
      if (!transfer.isOnHost(batch.column(i))) {
        return false;
      }
    }
    return true;
  }

  /** Adds a batch in parts; each part has no more rows than a table may have groups. */
  private void addParts(RecordBatch batch) {
    int first = 0;
    try {
      for (; first < batch.rowCount(); first += limits.rows()) {
        int count = Math.min(limits.rows(), batch.rowCount() - first);
        addRows(new RowRange(first, count).copyOf(batch, context.allocator(), batch.sequence()));
      }
    } catch (RuntimeException | Error e) {
      unprocessed.close();
      keepUnprocessedFrom(first, batch, e);
      throw e;
    }
    batch.close();
  }

  /** Keeps the rows from {@code first} on, which were not added, if they may be added again. */
  private void keepUnprocessedFrom(int first, RecordBatch batch, Throwable failure) {
    if (first == 0 && !isPartlyApplied) {
      unprocessed.keepOrClose(batch, failure);
      return;
    }
    Closer closer = new Closer();
    if (!isPartlyApplied && EngineException.isOutOfMemory(failure)) {
      RowRange rest = new RowRange(first, batch.rowCount() - first);
      closer.close(
          () ->
              unprocessed.keepOrClose(
                  rest.copyOf(batch, context.allocator(), batch.sequence()), failure));
    }
    closer.close(batch);
    closer.suppressIn(failure);
  }

  private void addRows(RecordBatch batch) {
    int rowCount = batch.rowCount();
    AggregateVariant variant = plan.variant(passesMost);
    int kept = aggregate(batch, variant);
    passesMost = kept >= rowCount - kept;
    if ((limits.areReachedBy(table) || takesScarceMemory(table)) && tryMoveTableToRun()) {
      runs.mergeWhenMany(table);
    }
    isPartlyApplied = false;
  }

  /**
   * Moves the table's groups to a run. When this is refused memory, the table stays and the next
   * batch tries again.
   */
  private boolean tryMoveTableToRun() {
    try {
      moveTableToRun();
      return true;
    } catch (EngineException e) {
      if (!EngineException.isOutOfMemory(e)) {
        throw e;
      }
      LOG.debug("a full table is kept, no memory for a run", e);
      return false;
    }
  }

  private boolean takesScarceMemory(AggregateTable held) {
    return plan.isGrouped()
        && held.bytes() > GroupLimits.bytesWhenScarce(context)
        && context.kernelSpill().isScarce();
  }

  /** Aggregates a batch and closes it; returns how many rows passed the filter. */
  private int aggregate(RecordBatch batch, AggregateVariant variant) {
    RecordBatch current = batch;
    int kept = 0;
    try {
      for (ProjectionStep step : variant.preparation()) {
        if (current != null) {
          RecordBatch result = runner.runOver(step, current);
          current.close();
          current = result;
        }
      }
      kept = current == null ? 0 : accumulateRows(current, variant);
      runner.throwFailure();
    } catch (Throwable e) { // user code throws checked exceptions that no signature names
      if (current == batch && !isPartlyApplied && variant.isRepeatable()) {
        unprocessed.keepOrClose(batch, e);
      } else {
        Closer closer = new Closer();
        closer.close(current);
        closer.suppressIn(e);
      }
      throw e;
    }
    if (current != null) {
      current.close();
    }
    return kept;
  }

  private int accumulateRows(RecordBatch input, AggregateVariant variant) {
    try {
      return accumulateOrReleaseTable(input, variant);
    } catch (Exception e) {
      FirstFailure.rethrowIfNotOfARow(e);
      if (variant.preparation().isEmpty()) {
        check(input);
      }
      throw e;
    }
  }

  /** Throws the error that row-by-row evaluation raises first, if there is one. */
  private void check(RecordBatch batch) {
    RecordBatch current = batch;
    for (ProjectionStep step : plan.checks()) {
      if (current != null) {
        current = runner.run(step, current);
      }
    }
    if (current != null) {
      current.close();
    }
    runner.throwFailure();
  }

  /** Accumulates a batch. When this is refused memory, releases the table and tries once more. */
  private int accumulateOrReleaseTable(RecordBatch input, AggregateVariant variant) {
    try {
      return accumulate(input, variant);
    } catch (EngineException e) {
      if (!EngineException.isOutOfMemory(e) || isPartlyApplied || revocableBytes() == 0) {
        throw e;
      }
      try {
        releaseTable();
      } catch (EngineException another) {
        e.addSuppressed(another);
        throw e;
      }
      return accumulate(input, variant);
    }
  }

  private int accumulate(RecordBatch input, AggregateVariant variant) {
    try (WorkingColumns columns = runner.columnsOf(input)) {
      BatchSignature signature =
          BatchSignature.of(columns.inputs(), variant.accumulation().usedColumns());
      List<TileProgram> programs = variant.accumulation().compile(signature);
      MemoryBuffer groupIds = null;
      if (plan.isGrouped()) {
        ColumnVector groups = groups(input, columns, variant);
        columns.addOwned(groups);
        groupIds = groups.data();
      }
      int kept =
          variant.picks().isEmpty()
              ? launch(programs, input, columns)
              : launchAndKeep(programs, input, columns, variant.picks(), groupIds);
      rowsInTable += plan.isGrouped() ? input.rowCount() : 0;
      return kept;
    }
  }

  private int launch(List<TileProgram> programs, RecordBatch input, WorkingColumns columns) {
    isPartlyApplied = programs.size() > 1; // a program allocates before it updates accumulators
    int kept = runner.launch(programs, input, columns, table.records().accumulators());
    isPartlyApplied = true;
    return kept;
  }

  /**
   * Runs the programs, then adds values that may be picked or are collected; those are computed
   * first.
   */
  private int launchAndKeep(
      List<TileProgram> programs,
      RecordBatch input,
      WorkingColumns columns,
      PickInputs picks,
      MemoryBuffer groupIds) {
    int rowCount = input.rowCount();
    try (WorkingColumns scope = columns.nested()) {
      runner.compute(picks.compiler(), input, scope);
      List<ColumnVector> values = scope.kernelOutputs(rowCount);
      int kept = launch(programs, input, columns);
      table.keep(picks, values, groupIds, nextOrder);
      nextOrder += rowCount;
      return kept;
    }
  }

  private ColumnVector groups(RecordBatch batch, WorkingColumns columns, AggregateVariant variant) {
    if (codedGroups.applies(batch, variant.codedKeys())) {
      return codedGroups.assign(batch, variant.codedKeys(), table::assign);
    }
    try (WorkingColumns scope = columns.nested()) {
      runner.compute(variant.keyCompiler(), batch, scope);
      List<ColumnVector> keys = scope.kernelOutputs(batch.rowCount());
      return runsToAppend > 0
          ? table.append(keys, batch.rowCount())
          : table.assign(keys, batch.rowCount());
    }
  }

  /** Moves the table's groups to a run and decides how to make the next run. */
  private void moveTableToRun() {
    boolean hasPaid = rowsInTable * PAYING_GROUPS >= (long) table.groupCount() * PAYING_ROWS;
    runs.add(table.takeRun(0));
    codedGroups.reset();
    if (runsToAppend > 0) {
      runsToAppend--;
    } else if (!hasPaid) {
      runsToAppend = APPENDED_RUNS;
    }
    rowsInTable = 0;
  }

  /**
   * Repartitions runs that were spilled or may be. Cannot be repeated after memory was refused:
   * runs are closed one after the other as their groups move to other runs.
   */
  @Override
  public boolean finish() {
    memory.begin();
    if (!runs.isEmpty()) {
      if (table.groupCount() > 0) {
        moveTableToRun();
      }
      runs.finish(table);
    }
    memory.end(revocableBytes());
    return true;
  }

  /**
   * Moves the groups to the caller; the state takes no more batches.
   *
   * @param mustBeRuns whether the table becomes a run even if there are no other runs
   * @param target takes the runs, owned by the caller
   * @return the table, owned by the caller, or null when its groups are in the runs
   */
  AggregateTable take(boolean mustBeRuns, List<GroupRun> target) {
    memory.close();
    boolean areRuns = mustBeRuns || !runs.isEmpty();
    if (areRuns && table.groupCount() > 0) {
      moveTableToRun();
    }
    runs.takeAll(table, target);
    AggregateTable taken = areRuns ? null : table;
    if (!areRuns) {
      table = null;
    }
    return taken;
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(unprocessed);
    closer.close(memory);
    closer.close(table);
    table = null;
    closer.close(runs);
    closer.close(codedGroups);
    closer.close(runner);
    closer.rethrow();
  }
}
