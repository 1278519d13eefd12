package io.ariadne.operator.aggregate;

import io.ariadne.columnar.ColumnVector;
import io.ariadne.expression.Expression;
import io.ariadne.expression.compiler.TileProgramCompiler;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns that picks and collected lists read: their values in default layouts, and which rows
 * count. Lists are numbered after the picks. Immutable, shared by threads.
 */
final class PickInputs {
  private static final int ALL_ROWS = -1;

  private final TileProgramCompiler compiler;
  private final List<Columns> columns;

  /**
   * Output numbers of the value and of the condition; the latter is {@link #ALL_ROWS} when all rows
   * count.
   */
  private record Columns(int value, int kept) {}

  private PickInputs(TileProgramCompiler compiler, List<Columns> columns) {
    this.compiler = compiler;
    this.columns = columns;
  }

  /**
   * Plans the columns.
   *
   * @param filter rows that are aggregated, or null for all
   * @param layout has the picks and lists
   */
  static PickInputs of(Expression filter, AccumulatorLayout layout) {
    List<Expression> outputs = new ArrayList<>();
    List<Columns> columns = new ArrayList<>();
    for (Pick pick : layout.pickInputs()) {
      columns.add(columns(pick.value(), pick.condition(), filter, outputs));
    }
    for (ListAggregate collection : layout.collections()) {
      columns.add(columns(collection.value(), collection.condition(), filter, outputs));
    }
    return new PickInputs(
        columns.isEmpty() ? null : TileProgramCompiler.withDefaultLayouts(outputs), columns);
  }

  private static Columns columns(
      Expression value, Expression condition, Expression filter, List<Expression> outputs) {
    Expression kept = AggregatePlanner.and(filter, condition);
    int values = indexOf(value, outputs);
    return new Columns(values, kept == null ? ALL_ROWS : indexOf(kept, outputs));
  }

  private static int indexOf(Expression expression, List<Expression> outputs) {
    int known = outputs.indexOf(expression);
    if (known >= 0) {
      return known;
    }
    outputs.add(expression);
    return outputs.size() - 1;
  }

  boolean isEmpty() {
    return columns.isEmpty();
  }

  /** Returns the compiler of the columns. */
  TileProgramCompiler compiler() {
    return compiler;
  }

  /** Returns the value column of a pick or list from the computed columns. */
  ColumnVector value(int pick, List<ColumnVector> computed) {
    return computed.get(columns.get(pick).value());
  }

  /**
   * Returns the condition column of a pick or list from the computed columns; null when all rows
   * count.
   */
  ColumnVector kept(int pick, List<ColumnVector> computed) {
    int kept = columns.get(pick).kept();
    return kept == ALL_ROWS ? null : computed.get(kept);
  }
}
