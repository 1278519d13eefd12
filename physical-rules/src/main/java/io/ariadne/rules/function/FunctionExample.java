package io.ariadne.rules.function;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;

/**
 * One expression of an example in which columns replace constants, so that Spark cannot compute it
 * during planning.
 *
 * @param expression the resolved expression, as the optimizer gets it
 * @param columns the columns that it reads
 * @param values the constants of the example that the columns replace
 */
public record FunctionExample(
    Expression expression, List<AttributeReference> columns, List<Literal> values) {
  /** Copies the lists. */
  public FunctionExample {
    columns = List.copyOf(columns);
    values = List.copyOf(values);
  }
}
