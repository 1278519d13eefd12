package io.ariadne.operator.exchange;

import io.ariadne.columnar.type.Field;
import io.ariadne.columnar.type.PrimitiveType;
import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;
import java.util.ArrayList;
import java.util.List;

/** Creates the {@link KeyFilterOperator}s of a task. Immutable and thread-safe. */
public final class KeyFilterOperatorFactory implements OperatorFactory {
  private final Schema output;
  private final List<Integer> hashColumns;
  private final ExchangeFilters.Task filters;

  /**
   * Plans the operators of a task.
   *
   * @param input columns of the batches. The last one, and those whose hashes are collected, are of
   *     type INT32 and never null
   * @param width how many columns, from the first on, are in the output beside the last one
   * @param hashColumns as {@link ExchangeFilters#hashColumns}
   * @param filters the filters of the task
   */
  public KeyFilterOperatorFactory(
      Schema input, int width, List<Integer> hashColumns, ExchangeFilters.Task filters) {
    this.output = output(input, width);
    this.hashColumns = List.copyOf(hashColumns);
    List<Integer> numbers = new ArrayList<>(hashColumns);
    numbers.add(input.columnCount() - 1);
    for (int column : numbers) {
      if (column < width || input.field(column).type() != PrimitiveType.INT32) {
        throw new IllegalArgumentException("column " + column + " has no hashes");
      }
    }
    this.filters = filters;
  }

  /**
   * Returns the columns of the output.
   *
   * @param input columns of the input
   * @param width how many of them, from the first on, are in the output beside the last one
   */
  public static Schema output(Schema input, int width) {
    List<Field> fields = new ArrayList<>(input.fields().subList(0, width));
    fields.add(input.field(input.columnCount() - 1));
    return new Schema(fields);
  }

  @Override
  public ColumnUse columnUse() {
    return ColumnUse.HOST;
  }

  @Override
  public KeyFilterOperator create(OperatorContext context) {
    return new KeyFilterOperator(output, filters, hashColumns, context);
  }

  @Override
  public boolean isReplaceable() {
    return true;
  }
}
