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
 * A predicate over batches of one schema that lists the rows for which it is true, without taking
 * or copying the batch; over one dictionary column, once per entry. Used by one thread at a time.
 */
public final class RowPredicate implements AutoCloseable {
  private final List<MemberColumns.Path> members;
  private final TileProgramCompiler compiler;
  private final ProjectionRunner runner;
  private final SelectRowsKernel selection;
  private final EntryTruths entries; // null where entries are of no use

  /**
   * Compiles a predicate.
   *
   * @param input the batches' columns
   * @param predicate of type BOOLEAN over these columns, without bridged calls
   * @param context where it runs
   */
  public RowPredicate(Schema input, Expression predicate, OperatorContext context) {
    if (BridgedStages.isBridged(predicate)) {
      throw new IllegalArgumentException("the predicate has bridged calls: " + predicate);
    }
    // A dictionary column of booleans does not pass as codes: masks have bits.
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

  /** Of one column that is no struct the entries tell all, if none of them can be an error. */
  private EntryTruths entries(Schema input, Expression predicate, OperatorContext context) {
    boolean hasEntries = input.columnCount() == 1 && members.isEmpty();
    return hasEntries && !TileProgramCompiler.mayRaise(predicate)
        ? new EntryTruths(input, this::selectByRow, selection, context)
        : null;
  }

  /**
   * Lists the rows for which the predicate is true, neither false nor null.
   *
   * @param batch columns of the schema; stays the caller's
   * @param indices memory that kernels see, {@link SelectRowsKernel#indexBytes} of the batch's
   *     rows; 32-bit row numbers are written in order
   * @return their number
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
