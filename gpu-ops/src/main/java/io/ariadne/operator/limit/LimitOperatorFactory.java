package io.ariadne.operator.limit;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.ColumnUse;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;

/**
 * Creates operators that skip the first rows of their input and finish after a number of further
 * rows. Each operator counts its own rows, so a pipeline with a limit must run on one thread.
 */
public final class LimitOperatorFactory implements OperatorFactory {
  /** A count that does not limit the rows. */
  public static final long ALL = Long.MAX_VALUE;

  private final Schema schema;
  private final long offset;
  private final long count;

  /**
   * Creates a factory.
   *
   * @param schema columns of input and output
   * @param offset how many rows to skip, from 0
   * @param count how many rows to emit then, from 0; {@link #ALL} for all remaining rows
   */
  public LimitOperatorFactory(Schema schema, long offset, long count) {
    if (offset < 0 || count < 0) {
      throw new IllegalArgumentException(count + " rows from row " + offset);
    }
    this.schema = schema;
    this.offset = offset;
    this.count = count;
  }

  @Override
  public ColumnUse columnUse() {
    return ColumnUse.HOST;
  }

  @Override
  public Operator create(OperatorContext context) {
    return new LimitOperator(schema, offset, count, context);
  }
}
