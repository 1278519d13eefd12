package io.ariadne.operator.project;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.columnar.Dictionary;
import io.ariadne.columnar.RecordBatch;
import io.ariadne.columnar.buffer.Closer;
import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.Schema;
import io.ariadne.expression.BridgedCall;
import io.ariadne.expression.ExpressionError;
import io.ariadne.expression.StringChoice;
import io.ariadne.expression.StringFunction;
import io.ariadne.expression.compiler.BatchSignature;
import io.ariadne.expression.compiler.CompiledProjection;
import io.ariadne.expression.compiler.EntryExpression;
import io.ariadne.expression.compiler.TileProgramCompiler;
import io.ariadne.kernel.tile.TileInput;
import io.ariadne.kernel.tile.TileProgram;
import io.ariadne.kernel.tile.TileProgramException;
import io.ariadne.kernel.tile.TileProgramKernel;
import io.ariadne.kernel.tile.TileProgramKernel.Accumulators;
import io.ariadne.operator.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/** Evaluates {@link ProjectionStep}s over batches. Used by one thread at a time. */
public final class ProjectionRunner implements AutoCloseable {
  private static final int NO_ORIGIN = 0xffff;

  private final OperatorContext context;
  private final TileProgramKernel kernel;
  private final KernelDictionaries dictionaries;
  private final NestedSelection selection;
  private final ProducedStrings strings;
  private final ChosenStrings choices;
  private final CastCalls casts;
  private Exception failure; // of the row after the last result's rows; null when none failed

  /**
   * Creates a runner.
   *
   * @param context where memory comes from and kernels run
   */
  public ProjectionRunner(OperatorContext context) {
    this.context = context;
    this.kernel = new TileProgramKernel(context.backend(), context.kernelAllocator());
    this.dictionaries = new KernelDictionaries(context);
    this.selection = new NestedSelection(context);
    KernelOperands operands = new KernelOperands(context, dictionaries);
    this.strings = new ProducedStrings(context, dictionaries, operands);
    this.choices = new ChosenStrings(context, operands);
    this.casts = new CastCalls(context, dictionaries);
  }

  /** Returns the context of this runner. */
  public OperatorContext context() {
    return context;
  }

  /** Returns the columns of an evaluation over a batch; the batch still owns its columns. */
  public WorkingColumns columnsOf(RecordBatch batch) {
    return new WorkingColumns(context, batch, dictionaries, selection);
  }

  /**
   * Evaluates a step. When a row fails, returns the result of the rows before it; {@link
   * #throwFailure} then throws the error of that row. The caller evaluates further steps over the
   * returned rows first, as their errors come before it.
   *
   * @param step what to compute
   * @param batch the input, owned by this call, closed also when this throws
   * @return the result, owned by the caller; null when no row passed
   */
  public RecordBatch run(ProjectionStep step, RecordBatch batch) {
    try (batch) {
      return runOver(step, batch);
    }
  }

  /**
   * Evaluates a step as {@link #run} does, over a batch that stays the caller's. When this returns,
   * columns may have been taken from the batch. When this throws OUT_OF_MEMORY, the batch is
   * unchanged and the step may be tried again.
   */
  public RecordBatch runOver(ProjectionStep step, RecordBatch batch) {
    try {
      return evaluate(step, batch);
    } catch (Exception e) {
      FirstFailure.rethrowIfNotOfARow(e);
      return runBefore(
          FirstFailure.of(step, batch, e, drop(step), selection, context), step, batch);
    }
  }

  /** Evaluates a step as {@link #run} does, but throws when any row fails. */
  public RecordBatch runWhole(ProjectionStep step, RecordBatch batch) {
    RecordBatch result = run(step, batch);
    if (result != null && failure != null) {
      result.close();
    }
    throwFailure();
    return result;
  }

  /** Evaluates a step for the rows before a failing row, and remembers the error. */
  private RecordBatch runBefore(FirstFailure first, ProjectionStep step, RecordBatch batch) {
    RecordBatch before = null;
    if (first.row() > 0) {
      try (RecordBatch part = FirstFailure.rows(batch, 0, first.row(), selection, context)) {
        before = evaluate(step, part);
      }
    }
    failure = first.error();
    return before;
  }

  private FirstFailure.Attempt drop(ProjectionStep step) {
    return part -> {
      try (part) {
        RecordBatch result = evaluate(step, part);
        if (result != null) {
          result.close();
        }
      }
    };
  }

  /** Returns whether a row has failed. */
  boolean hasFailed() {
    return failure != null;
  }

  /**
   * Throws the error of the first row that failed, if there is one. It may be a checked exception.
   */
  public void throwFailure() {
    if (failure != null) {
      throw ProjectionRunner.<RuntimeException>unchecked(failure);
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> RuntimeException unchecked(Exception error) throws E {
    throw (E) error;
  }

  private RecordBatch evaluate(ProjectionStep step, RecordBatch batch) {
    try (WorkingColumns columns = columnsOf(batch)) {
      for (ProjectionStep.Stage stage : step.stages()) {
        runStage(stage, batch, columns);
      }
      columns.addMembers(step.members());
      int rowCount = compute(step.compiler(), batch, columns);
      return rowCount == 0 ? null : columns.toBatch(step.outputSchema(), rowCount);
    }
  }

  /** Computes the arguments of bridged calls and runs the calls; their results become columns. */
  private void runStage(ProjectionStep.Stage stage, RecordBatch batch, WorkingColumns columns) {
    List<ColumnVector> results = new ArrayList<>();
    try (WorkingColumns scope = columns.nested()) {
      scope.addMembers(stage.members());
      compute(stage.arguments(), batch, scope);
      List<ColumnVector> arguments = scope.stageOutputs(stage, batch.rowCount());
      int next = 0;
      for (BridgedCall call : stage.calls()) {
        int count = call.arguments().size();
        List<ColumnVector> own = arguments.subList(next, next + count);
        next += count;
        results.add(
            call.function() instanceof StringFunction function
                ? produced(function, call, own, batch, scope)
                : call(call, own, batch));
      }
    } catch (Throwable e) { // user code throws checked exceptions that no signature names
      results.forEach(ColumnVector::close);
      throw e;
    }
    results.forEach(columns::addOwned);
  }

  /** Runs a string function with kernels, or on the host when the kernels cannot. */
  private ColumnVector produced(
      StringFunction function,
      BridgedCall call,
      List<ColumnVector> arguments,
      RecordBatch batch,
      WorkingColumns scope) {
    if (function instanceof StringChoice) {
      return choices.apply(call, arguments, batch.rowCount());
    }
    ColumnVector result =
        CastCalls.handles(function)
            ? casts.apply(function, arguments.get(0))
            : strings.apply(call, arguments, batch.rowCount());
    return result == null ? call(call, scope.onHost(arguments), batch) : result;
  }

  private ColumnVector call(BridgedCall call, List<ColumnVector> arguments, RecordBatch batch) {
    if (CodedCall.applies(call, arguments)) {
      ColumnVector result = CodedCall.apply(call, arguments.get(0), context, batch.sequence());
      if (result != null) {
        return result;
      }
    }
    // not closed: its columns belong to the caller
    RecordBatch view =
        new RecordBatch(
            ProjectionStep.schemaOf(call.arguments()),
            batch.rowCount(),
            arguments,
            batch.sequence());
    return call.function().apply(view, context.allocator());
  }

  /** Runs the programs of a compiler; returns how many rows passed its filter. */
  public int compute(TileProgramCompiler compiler, RecordBatch batch, WorkingColumns columns) {
    CompiledProjection compiled =
        compiler.compile(BatchSignature.of(columns.inputs(), compiler.usedColumns()));
    columns.begin(compiled);
    return launch(compiled.programs(), batch, columns, Accumulators.NONE);
  }

  /**
   * Runs programs in order. After an error in a row, the following programs run only on the rows
   * before it, so that the error of the first row is raised, whichever program finds it. The
   * accumulators are undefined then.
   *
   * @param programs what to run
   * @param batch the input, for messages
   * @param columns what the programs read and write
   * @param accumulators the accumulators of aggregates
   * @return how many rows passed the filter
   */
  public int launch(
      List<TileProgram> programs,
      RecordBatch batch,
      WorkingColumns columns,
      Accumulators accumulators) {
    int rowCount = batch.rowCount();
    int rowsOut = rowCount;
    TileProgramException failure = null;
    for (TileProgram program : programs) {
      if (context.cancelled().getAsBoolean()) {
        throw new CancellationException("the operator was cancelled");
      }
      if (failure != null && program.hasFilter()) {
        break; // a filter only drops rows
      }
      computeEntries(program, columns);
      List<TileProgramKernel.Target> targets = columns.allocate(program, rowCount);
      try {
        long written = kernel.run(program, rowCount, columns, targets, accumulators);
        rowsOut = program.hasFilter() ? Math.toIntExact(written) : rowsOut;
      } catch (TileProgramException e) {
        failure = e;
        rowCount = Math.toIntExact(e.error().row());
        if (rowCount == 0) {
          break;
        }
        kernel.run(program, rowCount, columns, targets, accumulators);
      }
    }
    if (failure != null) {
      throw replay(failure, batch);
    }
    return rowsOut;
  }

  /** Computes the functions of dictionary entries that a program reads. */
  private void computeEntries(TileProgram program, WorkingColumns columns) {
    for (TileInput input : program.inputs()) {
      if (input.function() instanceof EntryExpression expression) {
        Dictionary dictionary = columns.dictionary(input.column());
        dictionaries.compute(
            dictionary, expression, () -> ofEntries(expression, dictionary, columns));
      }
    }
  }

  private ColumnVector ofEntries(
      EntryExpression expression, Dictionary dictionary, WorkingColumns columns) {
    ColumnVector entries = dictionaries.entries(dictionary);
    Schema schema = new Schema(List.of(new Field("_0", entries.type(), false)));
    // not closed: its column belongs to the dictionary
    RecordBatch view = new RecordBatch(schema, entries.rowCount(), List.of(entries), 0);
    try (WorkingColumns scope = columns.over(view)) {
      int rowCount = compute(expression.compiler(), view, scope);
      try (RecordBatch results = scope.toBatch(expression.schema(), rowCount)) {
        return results.takeColumn(0);
      }
    }
  }

  /** Returns the user's exception for an error of a program. */
  private RuntimeException replay(TileProgramException e, RecordBatch batch) {
    int expression = e.error().expression();
    int origin = expression == NO_ORIGIN ? ExpressionError.NO_ORIGIN : expression;
    int row = Math.toIntExact(e.error().row());
    return context
        .transfer()
        .onHost(
            batch,
            0,
            batch.schema(),
            view -> context.errorReplay().toException(origin, e.error().code(), view, row));
  }

  @Override
  public void close() {
    Closer closer = new Closer();
    closer.close(casts);
    closer.close(choices);
    closer.close(strings);
    closer.close(dictionaries);
    closer.close(selection);
    closer.close(kernel);
    closer.rethrow();
  }
}
