package io.ariadne.expression;

import io.ariadne.columnar.type.DataType;
import java.io.NotSerializableException;

/**
 * A constant whose value is unknown while a query is planned: the result of a scalar subquery.
 *
 * <p>It occurs in plans that are converted for trial. {@link Literal}s replace it before a plan is
 * executed. So the compiler has no code for it, and it cannot be serialised. It may be null, and a
 * string may have any length.
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
