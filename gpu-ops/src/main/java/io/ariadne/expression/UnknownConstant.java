package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import java.io.NotSerializableException;

/**
 * A constant whose value is not known while a query is planned: the result of a scalar subquery.
 *
 * <p>It stands in plans that are made for trial. Before a plan is executed, {@link Literal}s take
 * the place of these constants, so they cannot be evaluated: the compiler has no code for them, and
 * they cannot be shipped to executors. They may be null, and strings may have any length.
 *
 * @param type the type
 */
public record UnknownConstant(DataType type) implements Expression {
  @Override
  public boolean nullable() {
    return true;
  }

  /** Java serialisation calls this. */
  private Object writeReplace() throws NotSerializableException {
    throw new NotSerializableException(this + ": the value is not known yet");
  }
}
