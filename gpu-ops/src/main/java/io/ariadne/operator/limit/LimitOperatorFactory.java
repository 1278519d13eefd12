package io.ariadne.operator.limit;

import io.ariadne.columnar.type.Schema;
import io.ariadne.operator.Operator;
import io.ariadne.operator.OperatorContext;
import io.ariadne.operator.OperatorFactory;

/**
 * Makes operators that leave out the first rows of their input and end it after some more. Each
 * counts for itself, so a pipeline with one must run on one thread.
 */
public final class LimitOperatorFactory implements OperatorFactory {
  /** As many rows as there are. */
  public static final long ALL = Long.MAX_VALUE;

  private final Schema schema;
  private final long offset;
  private final long count;

  /**
   * Creates a factory.
   *
   * @param schema columns of input and output
   * @param offset how many rows are left out first, from 0
   * @param count how many rows are put out then, from 0, {@link #ALL} for all that are left
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
  public Operator create(OperatorContext context) {
    return new LimitOperator(schema, offset, count, context);
  }
}
