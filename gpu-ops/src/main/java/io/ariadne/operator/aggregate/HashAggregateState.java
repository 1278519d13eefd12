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
 * What one thread of work has aggregated: a table and the runs that it has given up when it had
 * more groups than fit a cache, or longer keys than one table is to hold.
 *
 * <p>A table that is given up with nearly as many groups as it took rows was no use: the next
 * {@value #APPENDED_RUNS} runs are made without looking rows up, then another one is tried. When
 * others lack memory, a table is put away between two batches.
 *
 * <p>A batch that is refused memory before its rows count is handed back. Its groups are in the
 * table then, with nothing in them: the next attempt finds them.
 */
final class HashAggregateState implements SinkState {
  /** The table is needed before the runs, which are at rest. */
  private static final SpillPlacement PLACEMENT =
      SpillPlacement.at(GroupPartitionKernel.PARTITIONS, true);

  private static final int APPENDED_RUNS = 15;

  private static final Logger LOG = LoggerFactory.getLogger(HashAggregateState.class);

  /** Rows per group from which on looking rows up pays, as a fraction. */
  private static final int PAYING_ROWS = 5;

  private static final int PAYING_GROUPS = 4;

  private final HashAggregatePlan plan;
  private final OperatorContext context;
  private final ProjectionRunner runner;
  private final CodedGroups codedGroups;
  private final GroupLimits limits;
  private final GroupRuns runs;
  private final UnprocessedBatch refused = new UnprocessedBatch();
  private Revocable memory;
  private AggregateTable table;
  private boolean passesMost = true;

  /** Whether rows of the batch at hand may count already. */
  private boolean isTouched;

  /** Whether the table was put away for others since the last batch. */
  private boolean wasPutAway;

  private int runsToAppend;
  private long rowsInTable;

  /** Number of the next row; what was picked before the first has none. */
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
      this.memory = context.kernelSpill().revocable(PLACEMENT, this::putTableAwayForOthers);
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
      if (wasPutAway) {
        wasPutAway = false;
        runs.mergeWhenMany(table);
      }
    } catch (RuntimeException | Error e) {
      batch.close();
      throw e;
    }
    try {
      takeIn(batch);
    } catch (RuntimeException | Error e) {
      endAfter(e);
      throw e;
    }
    memory.end(revocableBytes());
  }

  @Override
  public RecordBatch takeUnprocessed() {
    return refused.take();
  }

  /** Lets others have the table while a batch that was refused memory waits. */
  private void endAfter(Throwable failure) {
    if (!refused.isEmpty()) {
      Closer closer = new Closer();
      closer.close(() -> memory.end(revocableBytes()));
      closer.suppressIn(failure);
    }
  }

  /** Returns what others may have of the table: nothing without keys, or of a small one. */
  private long revocableBytes() {
    long bytes = plan.isGrouped() ? table.bytes() : 0;
    return bytes < limits.revocableBytes() ? 0 : bytes;
  }

  /** Puts the table away between two batches: the next one comes to an empty table. */
  private void putTableAwayForOthers() {
    putTableAway();
    wasPutAway = true;
  }

  /** Makes runs of the table's groups, which may leave memory, and begins a small table. */
  private void putTableAway() {
    AggregateTable empty = new AggregateTable(plan, context);
    AggregateTable full = table;
    try {
      full.toRuns(0, GroupLimits.putAwayBytes(context)).forEach(runs::add);
    } catch (RuntimeException | Error e) {
      empty.close();
      throw e;
    }
    table = empty;
    rowsInTable = 0;
    codedGroups.reset();
    full.close();
  }

  private void takeIn(RecordBatch batch) {
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

  /** Takes a batch in in parts, each of which brings no more groups than a table may have. */
  private void addParts(RecordBatch batch) {
    int first = 0;
    try {
      for (; first < batch.rowCount(); first += limits.rows()) {
        int count = Math.min(limits.rows(), batch.rowCount() - first);
        addRows(new RowRange(first, count).copyOf(batch, context.allocator(), batch.sequence()));
      }
    } catch (RuntimeException | Error e) {
      refused.close();
      refuseFrom(first, batch, e);
      throw e;
    }
    batch.close();
  }

  /** Keeps the rows of a batch that were not taken in, from one on, if they may be given again. */
  private void refuseFrom(int first, RecordBatch batch, Throwable failure) {
    if (first == 0 && !isTouched) {
      refused.keepOrClose(batch, failure);
      return;
    }
    Closer closer = new Closer();
    if (!isTouched && UnprocessedBatch.isShortage(failure)) {
      RowRange rest = new RowRange(first, batch.rowCount() - first);
      closer.close(
          () ->
              refused.keepOrClose(
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
    if ((limits.areReachedBy(table) || takesScarceMemory(table)) && giveUpTableIfPossible()) {
      runs.mergeWhenMany(table);
    }
    isTouched = false;
  }

  /** Makes a run of the table, which stays as it is, and is tried next time, without memory. */
  private boolean giveUpTableIfPossible() {
    try {
      giveUpTable();
      return true;
    } catch (EngineException e) {
      if (!UnprocessedBatch.isShortage(e)) {
        throw e;
      }
      LOG.debug("a full table stays for lack of memory", e);
      return false;
    }
  }

  private boolean takesScarceMemory(AggregateTable held) {
    return plan.isGrouped()
        && held.bytes() > GroupLimits.bytesWhenScarce(context)
        && context.kernelSpill().isScarce();
  }

  /** Aggregates a batch, which it closes; returns the rows that passed the filter. */
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
      if (current == batch && !isTouched && variant.isRepeatable()) {
        refused.keepOrClose(batch, e);
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
      return accumulateOrMakeRoom(input, variant);
    } catch (Exception e) {
      FirstFailure.rethrowIfNotOfARow(e);
      if (variant.preparation().isEmpty()) {
        check(input);
      }
      throw e;
    }
  }

  /** Throws the error that going row by row meets first, if there is one. */
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

  /** Accumulates, a second time with the table put away when there is no memory with it. */
  private int accumulateOrMakeRoom(RecordBatch input, AggregateVariant variant) {
    try {
      return accumulate(input, variant);
    } catch (EngineException e) {
      if (!UnprocessedBatch.isShortage(e) || isTouched || revocableBytes() == 0) {
        throw e;
      }
      try {
        putTableAway();
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
    isTouched = programs.size() > 1; // a program takes what memory it needs before it begins
    int kept = runner.launch(programs, input, columns, table.records().accumulators());
    isTouched = true;
    return kept;
  }

  /** Also takes in what may be picked, or is collected, which is computed first. */
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

  /** Makes a run of the table's groups and decides how the next one is made. */
  private void giveUpTable() {
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

  /** Divides what has left memory or may leave it, if there are runs. */
  @Override
  public boolean finish() {
    memory.begin();
    if (!runs.isEmpty()) {
      if (table.groupCount() > 0) {
        giveUpTable();
      }
      runs.finish(table);
    }
    memory.end(revocableBytes());
    return true;
  }

  /**
   * Hands what was aggregated to the caller; the state takes no more batches.
   *
   * @param mustBeRuns whether the table is to become a run also when there are no others
   * @param target takes the runs, owned by the caller
   * @return the table, owned by the caller, or null when its groups are in the runs
   */
  AggregateTable take(boolean mustBeRuns, List<GroupRun> target) {
    memory.close();
    boolean areRuns = mustBeRuns || !runs.isEmpty();
    if (areRuns && table.groupCount() > 0) {
      giveUpTable();
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
    closer.close(refused);
    closer.close(memory);
    closer.close(table);
    table = null;
    closer.close(runs);
    closer.close(codedGroups);
    closer.close(runner);
    closer.rethrow();
  }
}
