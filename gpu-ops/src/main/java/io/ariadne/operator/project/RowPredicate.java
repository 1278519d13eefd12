package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.buffer.MemoryBuffer;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.BridgedStages;
import io.ariadne.expression.compiler.MemberColumns;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.kernel.column.SelectRowsKernel;
import io.ariadne.operator.OperatorContext;
import java.util.BitSet;
import java.util.List;

/**
 * A predicate that lists the rows of a batch for which it is true. It neither takes nor copies the
 * batch. It is evaluated once per entry when its only column is a dictionary column with few
 * entries. Used by one thread at a time.
 */
public final class RowPredicate implements AutoCloseable {
  private final List<MemberColumns.Path> members;
  private final TileProgramCompiler compiler;
  private final ProjectionRunner runner;
  private final SelectRowsKernel selection;
  private final EntryTruths entries; // null when it cannot be evaluated per entry

  /**
   * Compiles a predicate.
   *
   * @param input the columns of the batches
   * @param predicate of type BOOLEAN over these columns, without bridged calls
   * @param context where the predicate runs
   */
  public RowPredicate(Schema input, Expression predicate, OperatorContext context) {
    if (BridgedStages.isBridged(predicate)) {
      throw new IllegalArgumentException("the predicate has bridged calls: " + predicate);
    }
    // The output has bits, never dictionary codes, also for a BOOLEAN column that is the predicate.
    MemberColumns flat = MemberColumns.of(List.of(predicate), input.columnCount());
    this.members = flat.paths();
    this.compiler = TileProgramCompiler.withDefaultLayouts(flat.expressions());
    BitSet used = new BitSet();
    TileProgramCompiler.addColumns(predicate, used);
    if (used.length() > input.columnCount()) {
      throw new IllegalArgumentException(predicate + " reads no columns of " + input);
    }
    this.runner = new ProjectionRunner(context);
    try {
      this.selection = new SelectRowsKernel(context.backend(), context.kernelAllocator());
    } catch (RuntimeException | Error e) {
      runner.close();
      throw e;
    }
    this.entries = entries(input, predicate, context);
  }

  /**
   * Returns an evaluation per entry; null unless the predicate reads one flat column and cannot
   * raise errors.
   */
  private EntryTruths entries(Schema input, Expression predicate, OperatorContext context) {
    boolean hasEntries = input.columnCount() == 1 && members.isEmpty();
    return hasEntries && !TileProgramCompiler.mayRaise(predicate)
        ? new EntryTruths(input, this::selectByRow, selection, context)
        : null;
  }

  /**
   * Lists the rows for which the predicate is true; for the other rows it is false or null.
   *
   * @param batch columns of the schema; stays the caller's
   * @param indices a buffer in kernel memory of {@link SelectRowsKernel#indexBytes} of the batch's
   *     rows; receives 32-bit row numbers in ascending order
   * @return how many rows
   */
  public int select(RecordBatch batch, MemoryBuffer indices) {
    return entries != null && entries.applies(batch.column(0))
        ? entries.select(batch.column(0), indices)
        : selectByRow(batch, indices);
  }

  private int selectByRow(RecordBatch batch, MemoryBuffer indices) {
    try (WorkingColumns columns = runner.columnsOf(batch)) {
      columns.addMembers(members);
      runner.compute(compiler, batch, columns);
      ColumnVector mask = columns.kernelOutputs(batch.rowCount()).get(0);
      return selection.run(mask, indices);
    }
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(entries);
    closer.close(runner);
    closer.close(selection);
    closer.rethrow();
  }
}
